// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Executes a program of several chains (rank/chains.hpp), or for several shares of the data, each round by round, whatever the
// others do. Ranks may be in different rounds of a chain than of another, so that each chain has a tag of its own.
//
//     one chain      prepare |==|  flight |--------|  take |==|  prepare |==|  flight |--------|  take |==|
//     two chains     prepare |==|==|  flight |--------|  take and prepare |==|==|==|==| ...
//
// Of several messages that have come, that of the chain whose round began first is taken first, and its chain goes on at once.
//
// Cost: as of the executors of the chains, and one pass over their requests whenever one completes.
#include <algorithm>
#include <new>
#include <numeric>
#include <utility>

#include "isotrope/mpi/executor.hpp"

namespace isotrope::mpi {
namespace {

class ChainedExecutor final : public Execution {
 public:
  ChainedExecutor(ExecutorArguments given, const Channel& channel, int tag) {
    const auto whole = given.program;
    const auto add = [&](const rank::RankProgram& chain, const rank::Segmentation& units) {
      ExecutorArguments own = given;
      own.program = std::shared_ptr<const rank::RankProgram>(whole, &chain);
      own.units = units;
      chains_.push_back(make_round_executor(std::move(own), channel, tag++));
    };
    if (whole->shares.empty()) {
      for (const rank::RankProgram& chain : whole->chains) add(chain, given.units);
      return;
    }
    const auto all = std::accumulate(whole->shares.begin(), whole->shares.end(), std::uint64_t{0});
    std::uint64_t begin = 0;
    for (const std::uint64_t weight : whole->shares) {
      add(whole->chains.empty() ? *whole : whole->chains.front(),
          given.units.share(begin, begin + weight, all));
      begin += weight;
    }
  }

 protected:
  void begin() override {
    by_begin_.clear();
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      chains_[i]->start();
      chains_[i]->go_on();
      require_whole(*chains_[i]);
      by_begin_.push_back(i);
    }
  }
  bool advance() override {
    bool are_over = true;
    for (const auto& chain : chains_) {
      are_over = chain->test() && are_over;
      require_whole(*chain);
    }
    return are_over && note_errors();
  }
  void finish() override {
    while (gather_requests()) {
      int done = MPI_UNDEFINED;
      const int code = MPI_Waitany(static_cast<int>(open_.size()), open_.data(), &done, MPI_STATUS_IGNORE);
      if (done == MPI_UNDEFINED) return wait_for_each(code);
      note(code);
      complete(places_[static_cast<std::size_t>(done)]);
    }
    note_errors();
  }

 private:
  struct Place {
    std::size_t chain, request;
  };

  // Memory that ran out in a chain is missing here too: messages may still use that of the chain.
  static void require_whole(const Execution& chain) {
    if (chain.is_broken()) throw std::bad_alloc();
  }
  bool note_errors() {
    for (const auto& chain : chains_) note(chain->error());
    return true;
  }
  // Goes on with the chain if that was the last request of its round.
  void complete(Place place) {
    RoundwiseExecutor& chain = *chains_[place.chain];
    chain.requests()[place.request] = MPI_REQUEST_NULL;
    if (std::ranges::any_of(chain.requests(), is_open)) return;
    chain.go_on();
    require_whole(chain);
    std::erase(by_begin_, place.chain);
    by_begin_.push_back(place.chain);
  }
  static bool is_open(MPI_Request request) { return request != MPI_REQUEST_NULL; }
  // Collects the open requests of all chains; returns whether there are any.
  bool gather_requests() {
    open_.clear();
    places_.clear();
    for (const std::size_t chain : by_begin_) {
      const auto requests = chains_[chain]->requests();
      for (std::size_t i = 0; i < requests.size(); ++i) {
        if (requests[i] == MPI_REQUEST_NULL) continue;
        open_.push_back(requests[i]);
        places_.push_back({chain, i});
      }
    }
    return !open_.empty();
  }
  // MPI does not say which requests are complete: every chain waits for its own.
  void wait_for_each(int code) {
    note(code);
    for (const auto& chain : chains_) {
      chain->wait();
      require_whole(*chain);
    }
    note_errors();
  }

  std::vector<std::unique_ptr<RoundwiseExecutor>> chains_;
  std::vector<std::size_t> by_begin_;  // chains by when their rounds began
  std::vector<MPI_Request> open_;
  std::vector<Place> places_;  // of open_
};

}  // namespace

std::unique_ptr<Execution> make_chained_executor(ExecutorArguments arguments, const Channel& channel,
                                                 int tag) {
  return std::make_unique<ChainedExecutor>(std::move(arguments), channel, tag);
}

}  // namespace isotrope::mpi
