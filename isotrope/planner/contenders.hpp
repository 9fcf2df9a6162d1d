// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// All that can serve a request, ready to be predicted: algorithms of the catalogue, with single packets and
// with all packets merged, and on cut-through machines direct sends.
//
// An allreduce is of one block a node, N in all, or of a single block that all nodes share. To have them do
// the same, the block of the latter is as large as the N of the former together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isotrope/cost/machine.hpp"

#include "isotrope/planner/catalog.hpp"
#include "isotrope/planner/direct_sends.hpp"
#include "isotrope/planner/prediction.hpp"

namespace isotrope::planner {

class Contender {
 public:
  /// @pre `request` meets no obstacle of the algorithm, which must outlive this.
  Contender(const Algorithm& algorithm, const Request& request, double rounds_a_part);
  /// Direct sends, in the form that the request names. @pre direct_obstacle(request) is nothing.
  explicit Contender(const Request& request);

  /// The algorithm's, with ", merged" where it merges any number of packets.
  const std::string& name() const { return name_; }
  /// As it has to be asked for, parts left out.
  const Request& request() const { return request_; }
  bool direct() const { return direct_.has_value(); }
  /// How many of the blocks asked for its plan takes for one: 1, or N in an allreduce of a single block.
  std::uint64_t blocks_as_one() const { return blocks_as_one_; }

  /// The rounds of one packet a block.
  std::uint64_t least_rounds();
  /// With as many packets as the request has parts, or with the best number of them.
  Prediction as_requested(std::uint64_t block_bytes, const cost::Machine& machine);
  Predictor::Fastest fastest_below(double limit, std::uint64_t block_bytes, const cost::Machine& machine);
  Prediction fastest(std::uint64_t block_bytes, const cost::Machine& machine);

 private:
  std::string name_;
  Request request_;
  std::uint64_t blocks_as_one_ = 1;
  std::optional<Predictor> predictor_;
  std::optional<DirectSends> direct_;
};

/// Of the catalogue and then direct, those that can serve `request` with the merging it names, or, where
/// `any_merge`, with none and with all of it; only the algorithm that it names, if it does.
/// @throws Error where there are none; the message says what would work.
std::vector<Contender> contenders(const Request& request, bool any_merge, bool cut_through,
                                  double rounds_a_part);

}  // namespace isotrope::planner
