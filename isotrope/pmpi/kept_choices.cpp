// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/kept_choices.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/io/text_file.hpp"

#include "isotrope/mpi/shared_network.hpp"
#include "isotrope/mpi/topology.hpp"
#include "isotrope/pmpi/libraries.hpp"
#include "isotrope/pmpi/rank_zero.hpp"

namespace isotrope::pmpi {
namespace {

// A short name of a list of nodes (FNV-1a).
class NodeHash {
 public:
  void add(network::Node node) { hash_ = (hash_ ^ node) * 0x100000001b3U; }
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

// The name of the network in choices files. Many graphs are given by edges of the same network, so these count too, as do the
// places of the ranks.
std::string name_of(const mpi::Communicator& communicator) {
  std::string name = communicator.network().name();
  if (!communicator.lacks().edges.empty()) {
    NodeHash hash;
    for (const auto [low, high] : communicator.lacks().edges) {
      for (const network::Node node : {low, high}) hash.add(node);
    }
    name += " with edges " + hash.text();
  }
  if (!communicator.ranks().is_identity()) {
    NodeHash hash;
    for (network::Rank rank = 0; rank < communicator.network().order(); ++rank)
      hash.add(communicator.ranks().node_of(rank));
    name += " with rank map " + hash.text();
  }
  return name;
}

// A call of that kind, without times.
io::MeasuredCall call_of(const CallKind& kind, const mpi::Communicator& communicator) {
  io::MeasuredCall call{name_of(communicator), kind.collective.base, kind.least_bytes()};
  call.has_unequal_blocks = kind.collective.is_unequal;
  return call;
}

// Those in the file that rank 0 reads, on all ranks: of this MPI library. A file that does not exist has none. Empties the name of
// a bad one.
std::vector<io::MeasuredCall> shared_priors(std::string& file) {
  std::string text;
  int is_bad = 0;
  std::error_code unknown;  // what cannot be told is for the reader to report
  if (mpi::rank_in(MPI_COMM_WORLD) == 0 && (std::filesystem::exists(file, unknown) || unknown)) {
    try {
      text = io::read_text(file);
      io::parse_choices(file, text);
    } catch (const Error& error) {
      say(fmt::format("ISOTROPE_CHOICES: {}; the file stays as it is", error.what()));
      is_bad = 1;
    }
  }
  PMPI_Bcast(&is_bad, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text = mpi::shared_text(std::move(text), MPI_COMM_WORLD);
  if (is_bad != 0) file.clear();
  if (is_bad != 0 || text.empty()) return {};
  io::MeasuredChoices choices = io::parse_choices(file, text);
  if (choices.library != library_of_process().in_words()) return {};
  return std::move(choices.calls);
}

}  // namespace

void KeptChoices::begin() {
  file_ = shared_variable("ISOTROPE_CHOICES");
  if (file_.empty()) return;
  priors_ = shared_priors(file_);
  if (file_.empty()) return;
  std::error_code failed;
  const std::filesystem::path absolute = std::filesystem::absolute(file_, failed);
  if (!failed) file_ = absolute.string();  // the program may change its folder
}

void KeptChoices::add_priors(MeasuredChoice& choice, const CallKind& kind,
                             const mpi::Communicator& communicator) const {
  if (priors_.empty()) return;
  const io::MeasuredCall call = call_of(kind, communicator);
  const auto known =
      std::ranges::find_if(priors_, [&](const io::MeasuredCall& prior) { return prior.is_same_kind(call); });
  if (known == priors_.end()) return;
  choice.add_prior(MeasuredChoice::library, known->library_s);
  choice.add_prior(own_plans, known->isotrope_s);
  if (known->one_port_s && choice.candidates() > one_port_plans)
    choice.add_prior(one_port_plans, *known->one_port_s);
  choice.decide();
}

void KeptChoices::keep(const CommunicatorChoices& choices, const mpi::Communicator& communicator) {
  if (file_.empty()) return;
  const std::scoped_lock lock(mutex_);
  for (const auto& [kind, choice] : choices.all()) {
    if (choice.samples(MeasuredChoice::library) == 0 || choice.samples(own_plans) == 0) continue;
    io::MeasuredCall call = call_of(kind, communicator);
    call.library_s = choice.estimate(MeasuredChoice::library);
    call.isotrope_s = choice.estimate(own_plans);
    if (choice.candidates() > one_port_plans && choice.samples(one_port_plans) > 0)
      call.one_port_s = choice.estimate(one_port_plans);
    std::erase_if(measured_, [&](const io::MeasuredCall& known) { return known.is_same_kind(call); });
    measured_.push_back(std::move(call));
  }
}

void KeptChoices::write() const {
  if (file_.empty() || mpi::rank_in(MPI_COMM_WORLD) != 0) return;
  std::vector<io::MeasuredCall> calls = measured_;
  std::ranges::copy_if(priors_, std::back_inserter(calls), [&](const io::MeasuredCall& prior) {
    return std::ranges::none_of(measured_, [&](const auto& call) { return call.is_same_kind(prior); });
  });
  try {
    io::write_choices(file_, {.library = library_of_process().in_words(), .calls = std::move(calls)});
  } catch (const Error& error) {
    say(fmt::format("ISOTROPE_CHOICES: {}", error.what()));
  }
}

}  // namespace isotrope::pmpi
