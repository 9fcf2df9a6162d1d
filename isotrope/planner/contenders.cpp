// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/contenders.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/planner/plan.hpp"

namespace isotrope::planner {
namespace {

std::string name_of(std::string_view algorithm, const Request& request) {
  return fmt::format("{}{}", algorithm, request.merge == unbounded ? ", merged" : "");
}

Request by(std::string_view algorithm, Request request) {
  request.algorithm = algorithm;
  return request;
}

// The forms in which the request may be served.
std::vector<Request> forms(const Request& request, bool any_merge) {
  if (!any_merge) return {request};
  std::vector<Request> result{request, request};
  result[0].merge = 1;
  result[1].merge = unbounded;
  return result;
}

// The forms of direct sends, which are asked for by name, or considered beside others; their parts are whole
// blocks.
void add_direct(std::vector<Contender>& contenders, const Request& form) {
  if (form.merge > 1 && form.merge < unbounded) return;
  for (const std::string& name : direct_sends_names(form.network)) {
    if (!form.algorithm.empty() && form.algorithm != name) continue;
    const Request named = by(name, form);
    if (!direct_obstacle(named)) contenders.emplace_back(named);
  }
}

bool is_direct(const Request& request) {
  const auto names = direct_sends_names(request.network);
  return std::ranges::find(names, request.algorithm) != names.end();
}

// One that was asked for by name.
[[noreturn]] void refuse_direct(const Request& form, bool cut_through) {
  const std::string reason =
      cut_through ? direct_obstacle(form).value_or("it sends single packets, or merges all")
                  : "the machine has no cut-through, by which messages pass nodes without a stop";
  throw Error(fmt::format("algorithm {}: {}", form.algorithm, reason));
}

}  // namespace

Contender::Contender(const Algorithm& algorithm, const Request& request, double rounds_a_part)
    : name_(name_of(algorithm.name, request)), request_(by(algorithm.name, request)) {
  if (algorithm.one_block) blocks_as_one_ = request_.network.order();
  predictor_.emplace(algorithm, request_, rounds_a_part / static_cast<double>(blocks_as_one_));
}

Contender::Contender(const Request& request) : name_(name_of(request.algorithm, request)), request_(request) {
  request_.task.parts = 1;
  direct_.emplace(request_);
}

std::uint64_t Contender::least_rounds() {
  return direct_ ? 0 : predictor_->least_rounds();
}

Prediction Contender::as_requested(std::uint64_t block_bytes, const cost::Machine& machine) {
  return direct_ ? direct_->predict(block_bytes, machine)
                 : predictor_->with_packets(block_bytes * blocks_as_one_, request_.task.parts, machine);
}

Predictor::Fastest Contender::fastest_below(double limit, std::uint64_t block_bytes,
                                            const cost::Machine& machine) {
  if (direct_) return {direct_->predict(block_bytes, machine), false};
  return predictor_->fastest_below(limit, block_bytes * blocks_as_one_, machine);
}

Prediction Contender::fastest(std::uint64_t block_bytes, const cost::Machine& machine) {
  return direct_ ? direct_->predict(block_bytes, machine)
                 : predictor_->fastest(block_bytes * blocks_as_one_, machine);
}

std::vector<Contender> contenders(const Request& request, bool any_merge, bool cut_through,
                                  double rounds_a_part) {
  const std::vector<Request> wanted = forms(request, any_merge);
  std::vector<Contender> result;
  for (const Algorithm& algorithm : catalog()) {
    if (algorithm.collective != request.task.collective) continue;
    if (!request.algorithm.empty() && request.algorithm != algorithm.name) continue;
    for (const Request& form : wanted) {
      if (obstacle(algorithm, form)) continue;
      if (result.empty()) choose(by(algorithm.name, form));  // refuses tasks that none can serve
      result.emplace_back(algorithm, form, rounds_a_part);
    }
  }
  if (cut_through) {
    for (const Request& form : wanted) add_direct(result, form);
  }
  if (!result.empty()) return result;
  if (is_direct(request)) refuse_direct(wanted.back(), cut_through);
  choose(wanted.front());  // says what would work
  return result;
}

}  // namespace isotrope::planner
