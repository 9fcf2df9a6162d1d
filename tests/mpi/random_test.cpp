// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Random calls, the same on all ranks: network, collective, count, types, root, operation, in place or not,
// blocking or with several requests open.
#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <random>

#include <gtest/gtest.h>

#include "trial.hpp"
#include "world.hpp"

namespace isotrope::mpi {
namespace {

class Draw {
 public:
  explicit Draw(unsigned seed) : source_(seed) {}
  // 0..below - 1, the same with every standard library.
  int below(int below) { return static_cast<int>(source_() % static_cast<unsigned>(below)); }
  template <class List>
  const auto& of(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

 private:
  std::mt19937 source_;
};

Case random_case(Draw& draw, int size) {
  Case c{.root = draw.below(size), .in_place = draw.below(2) == 0};
  const bool reduces = draw.below(3) == 0, six = draw.below(2) == 0;
  c.collective = reduces ? draw.of(reducing) : draw.of(copying);
  const std::array most{1, 4, 60, 700};
  const int elements = draw.below(draw.of(most) + 1);
  c.ints = elements;
  if (!six) return c;
  // The blocks of all ranks, as one array, do not overlap.
  const int blocks = std::min(elements, most_columns / size);
  c.ints = 6 * blocks;
  c.received = draw.of(sixes());
  c.sent = reduces || draw.below(2) == 0 ? c.received : draw.of(sixes());
  c.op = draw.below(2) == 0 ? Op::add : Op::compose;
  return c;
}

TEST(MpiRandomCalls, are_right) {
  Draw draw(20'240'607);
  auto networks = fitting_networks();
  networks.emplace_back(any_graph);
  const int calls = world_size() > 9 ? 120 : 300;
  for (int call = 0; call < calls;) {
    Communicator& comm = communicator_on(draw.of(networks));
    std::deque<Trial> trials;
    std::deque<Request> requests;
    const int open = 1 + draw.below(4);
    for (int i = 0; i < open; ++i, ++call) {
      const Case c = random_case(draw, comm.size());
      trials.emplace_back(comm, c);
      if (open == 1) {
        trials.back().run();
      } else {
        trials.back().start(requests.emplace_back());
      }
    }
    while (!requests.empty()) {
      const auto next = requests.begin() + draw.below(static_cast<int>(requests.size()));
      EXPECT_EQ(next->wait(), MPI_SUCCESS);
      requests.erase(next);
    }
    for (Trial& trial : trials) trial.check();
  }
}

}  // namespace
}  // namespace isotrope::mpi
