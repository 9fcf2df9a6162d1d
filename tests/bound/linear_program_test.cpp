// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The bounds by prices and by weights of ports, against the linear programs whose duals they are, solved by GLPK:
// routes in fractions with the smallest largest load. Many parts a block make the fractions count.
#include <algorithm>
#include <glpk.h>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "tests/bound/port_models.hpp"

namespace isotrope::bound {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::Collective;
using schedule::Delivery;
using schedule::PortModel;
using schedule::Problem;

constexpr std::uint32_t parts = 1000;

// Minimises the load: the first column. All columns are at least 0.
class LeastLoad {
 public:
  explicit LeastLoad(int flows) : program_(glp_create_prob()) {
    glp_set_obj_dir(program_, GLP_MIN);
    glp_add_cols(program_, flows + 1);
    for (int column = 1; column <= flows + 1; ++column) glp_set_col_bnds(program_, column, GLP_LO, 0, 0);
    glp_set_obj_coef(program_, load, 1);
  }
  LeastLoad(const LeastLoad&) = delete;
  LeastLoad& operator=(const LeastLoad&) = delete;
  ~LeastLoad() { glp_delete_prob(program_); }

  static constexpr int load = 1;
  static int flow(std::size_t number) { return static_cast<int>(number) + 2; }

  using Terms = std::vector<std::pair<int, double>>;  // columns, each once, with factors
  /// Terms sum up to `value`.
  void equals(const Terms& terms, double value) { add(terms, GLP_FX, value); }
  /// Flows sum up to at most `factor` times the load.
  void is_within(Terms flows, double factor) {
    flows.emplace_back(load, -factor);
    add(flows, GLP_UP, 0);
  }

  double solve() {
    glp_smcp parameters;
    glp_init_smcp(&parameters);
    parameters.msg_lev = GLP_MSG_OFF;
    EXPECT_EQ(glp_simplex(program_, &parameters), 0);
    EXPECT_EQ(glp_get_status(program_), GLP_OPT);
    return glp_get_obj_val(program_);
  }

 private:
  void add(const Terms& terms, int type, double value) {
    std::vector<int> columns{0};  // GLPK counts from 1
    std::vector<double> factors{0};
    for (const auto& [column, factor] : terms) {
      columns.push_back(column);
      factors.push_back(factor);
    }
    const int row = glp_add_rows(program_, 1);
    glp_set_row_bnds(program_, row, type, value, value);
    glp_set_mat_row(program_, row, static_cast<int>(terms.size()), columns.data(), factors.data());
  }

  glp_prob* program_;
};

using Demands = std::vector<std::vector<double>>;  // blocks by sender and receiver

// The flow of one sender leaves as much at every node as is for it. Flow number sender * links + node * degree + port.
void route(LeastLoad& program, const Network& network, const Demands& demands) {
  for (Node sender = 0; sender < demands.size(); ++sender) {
    const auto flow = [&](Node node, Port port) {
      return LeastLoad::flow((std::size_t{sender} * network.order() + node) * network.degree() + port);
    };
    for (Node node = 0; node < network.order(); ++node) {
      if (node == sender) continue;
      LeastLoad::Terms terms;
      for (Port port = 0; port < network.degree(); ++port) {
        terms.emplace_back(flow(network.neighbour(node, network.opposite(port)), port), 1);
        terms.emplace_back(flow(node, port), -1);
      }
      program.equals(terms, demands[sender][node]);
    }
  }
}

// The least T for which all packets can be routed in fractions, if a round has room as in docs/plan-file.md, prices.
double least_rounds(const Network& network, PortModel ports, const Demands& demands) {
  const std::size_t links = std::size_t{network.order()} * network.degree();
  LeastLoad program(static_cast<int>(demands.size() * links));
  route(program, network, demands);
  const auto over = [&](Node node, Port port, LeastLoad::Terms& terms) {
    for (std::size_t sender = 0; sender < demands.size(); ++sender)
      terms.emplace_back(LeastLoad::flow(sender * links + node * network.degree() + port), 1);
  };
  LeastLoad::Terms all;
  for (Node node = 0; node < network.order(); ++node) {
    LeastLoad::Terms sent, received;
    for (Port port = 0; port < network.degree(); ++port) {
      LeastLoad::Terms link;
      over(node, port, link);
      program.is_within(link, 1);
      over(node, port, sent);
      over(network.neighbour(node, port), network.opposite(port), received);
    }
    all.insert(all.end(), sent.begin(), sent.end());
    if (ports.half_duplex()) {
      sent.insert(sent.end(), received.begin(), received.end());
      program.is_within(sent, 1);
    } else {
      program.is_within(sent, ports.sends(network.degree()));
      program.is_within(received, ports.sends(network.degree()));
    }
  }
  if (ports.half_duplex()) program.is_within(all, network.order() / 2);
  return program.solve();
}

// The largest of the bounds that the program has as duals.
double best_price(const Problem& problem) {
  std::uint64_t result = 0;
  for (const Bound& bound : lower_bounds(problem)) {
    for (const std::string_view kind : {"prices", "port-sum", "distance-sum", "degree"}) {
      if (bound.kind == kind) result = std::max(result, bound.value);
    }
  }
  return static_cast<double>(result);
}

TEST(LinearProgram, of_a_task_is_met_by_prices_and_never_exceeded) {
  std::mt19937 random(3);
  for (const char* name : {"ring:5", "ring:6", "torus:2x3", "torus:3x3", "hypercube:3", "circulant:7:1,2"}) {
    const Network network = network::parse(name);
    for (int i = 0; i < 3; ++i) {
      Demands demands(network.order(), std::vector<double>(network.order(), 0));
      std::vector<Delivery> deliveries;
      for (int k = 0; k < 10; ++k) {
        const Node from = static_cast<Node>(random() % network.order());
        const Node to = static_cast<Node>(random() % network.order());
        const auto blocks = static_cast<std::uint32_t>(1 + random() % 5);
        if (from == to) continue;
        deliveries.push_back({from, to, blocks});
        demands[from][to] += blocks;
      }
      for (const PortModel ports : port_models(network)) {
        const double rounds = parts * least_rounds(network, ports, demands);
        const double bound =
            best_price({.network = network,
                        .task = {.collective = Collective::task, .parts = parts, .deliveries = deliveries},
                        .ports = ports});
        EXPECT_LE(bound, rounds + 1) << name << ", " << to_string(ports);
        EXPECT_GE(bound, 0.965 * rounds) << name << ", " << to_string(ports);
      }
    }
  }
}

// Every node sends the same, so the program of one sender suffices, with one load for all links of a port.
double least_isotropic_rounds(const Network& network, Port c, const std::vector<double>& demands) {
  LeastLoad program(static_cast<int>(std::size_t{network.order()} * network.degree()));
  route(program, network, {demands});
  LeastLoad::Terms all;
  for (Port port = 0; port < network.degree(); ++port) {
    LeastLoad::Terms of_port;
    for (Node node = 0; node < network.order(); ++node)
      of_port.emplace_back(LeastLoad::flow(std::size_t{node} * network.degree() + port), 1);
    program.is_within(of_port, 1);
    all.insert(all.end(), of_port.begin(), of_port.end());
  }
  program.is_within(all, c);
  return program.solve();
}

TEST(LinearProgram, of_an_exchange_is_met_by_weights_of_ports) {
  std::mt19937 random(4);
  for (const char* name :
       {"ring:7", "torus:3x4", "hypercube:3", "circulant:13:1,2", "hexmesh:2", "circulant:11:1,3"}) {
    const Network network = network::parse(name);
    for (int i = 0; i < 4; ++i) {
      std::vector<double> demands(network.order(), 0);
      schedule::Task task{.collective = Collective::isotropic, .parts = parts};
      for (Node to = 1; to < network.order(); ++to) {
        const auto blocks = static_cast<std::uint32_t>(random() % 4);
        if (blocks == 0) continue;
        task.destinations.push_back({to, blocks});
        demands[to] = blocks;
      }
      for (Port c = 1; c <= network.degree(); ++c) {
        const Problem problem{.network = network, .task = task, .ports = PortModel::ports(c)};
        const double rounds = parts * least_isotropic_rounds(network, c, demands);
        const double bound = best_price(problem);
        EXPECT_LE(bound, rounds + 1) << name << ", " << c << " ports";
        EXPECT_GE(bound, 0.985 * rounds) << name << ", " << c << " ports";
      }
    }
  }
}

}  // namespace
}  // namespace isotrope::bound
