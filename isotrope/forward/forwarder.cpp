// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/forward/forwarder.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/split_mix.hpp"

namespace isotrope::forward {
namespace {

// Whether a unit that has come to a node has hops left exactly if it goes on.
bool is_on_route(const Unit& unit, Node node) {
  return unit.destination == node ? unit.hops == unit.route : unit.hops < unit.route;
}

std::uint64_t route_bytes(const Unit& unit) {
  return std::uint64_t{unit.route} * sizeof(Route::value_type);
}

constexpr std::uint64_t most_bytes = Forwarder::largest_unit - sizeof(Unit);  // of a unit

// Parts of a block. If a part has 512 bytes or more, all orders share the block alike.
std::uint64_t parts_of(std::uint64_t bytes, std::uint64_t orders) {
  constexpr std::uint64_t short_part = 256, part = 512, long_part = 2048;
  if (bytes < long_part) return std::max<std::uint64_t>(bytes / short_part, 1);
  const std::uint64_t shares = std::clamp<std::uint64_t>(bytes / (long_part * orders), 1, 4);
  return std::max(std::min(bytes / part, shares * orders), (bytes + most_bytes - 1) / most_bytes);
}

// The place of the order of a part: the parts of one block use the orders alike; blocks begin at different ones.
std::uint32_t order_place(std::uint64_t part, std::uint64_t parts, std::uint64_t block,
                          std::uint64_t orders) {
  const std::uint64_t step = parts < orders ? part * orders / parts : part;
  return static_cast<std::uint32_t>((block + step) % orders);
}

// Parts of a block with routes: at most 256, if these are so long that routes cost little.
std::uint64_t routed_parts_of(std::uint64_t bytes, std::uint64_t route_bytes) {
  constexpr std::uint64_t part = 4096, most_parts = 256;
  const std::uint64_t longest = most_bytes - route_bytes;
  return std::max({std::min(bytes / part, most_parts), (bytes + longest - 1) / longest, std::uint64_t{1}});
}

std::uint64_t begin_of(std::uint64_t part, std::uint64_t parts, std::uint64_t bytes) {
  return bytes / parts * part + bytes % parts * part / parts;
}

}  // namespace

struct Forwarder::Header {
  std::uint32_t units = 0;
  std::uint16_t level = 0;
  std::uint16_t following = 0;  // messages, at least
  ExchangeExtremes extremes = {};
};

std::uint64_t Forwarder::largest_message() {
  return sizeof(Header) + most_message;
}

Forwarder::Forwarder(const ShortestPorts& ports, const SpreadTrees* trees, std::uint32_t longest_path,
                     Deliver deliver)
    : ports_(ports),
      trees_(trees),
      longest_path_(longest_path),
      deliver_(std::move(deliver)),
      lanes_(ports.lanes()) {
  static_assert(std::is_trivially_copyable_v<Unit> && sizeof(Unit) == 24 && most_bytes <= UINT16_MAX);
  static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) == header_bytes);
  static_assert(sizeof(ShortestPorts::Lane) == sizeof(Route::value_type));
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    lanes_[i].queues.resize(std::size_t{longest_path} + 1);
    lanes_[i].queued_by_hop.assign(std::size_t{longest_path} + 1, 0);
    lanes_[i].width = ports.links(i);
  }
}

Forwarder::Forwarder(const ShortestPorts& ports, std::uint32_t longest_path, Deliver deliver)
    : Forwarder(ports, nullptr, longest_path, std::move(deliver)) {}

Forwarder::Forwarder(const ShortestPorts& ports, const BalancedRoutes& routes, Deliver deliver)
    : Forwarder(ports, nullptr, routes.longest_path(), std::move(deliver)) {
  routes_ = &routes;
  for (Lane& lane : lanes_) lane.queues.resize(stages * (std::size_t{longest_path_} + 1));
}

Forwarder::Forwarder(const ShortestPorts& ports, const SpreadTrees& trees,
                     std::span<const std::uint64_t> block_bytes, Deliver deliver)
    : Forwarder(ports, &trees, trees.height(), std::move(deliver)) {
  count_bytes(block_bytes);
}

Forwarder::Forwarder(const ShortestPorts& ports, const SpreadTrees& trees,
                     std::span<const std::uint64_t> block_bytes, Addition addition, Deliver deliver)
    : Forwarder(ports, &trees, trees.height(), std::move(deliver)) {
  element_bytes_ = addition.element_bytes;
  sums_.emplace(std::move(addition.combine));
  contributions_.resize(block_bytes.size());
  for (Lane& lane : lanes_) lane.queues.resize(stages * (std::size_t{longest_path_} + 1));
  count_bytes(block_bytes);
}

void Forwarder::set_widths(std::span<const double> widths) {
  for (std::size_t i = 0; i < lanes_.size(); ++i) lanes_[i].width = widths[i];
}

// What passes each lane, in and out, follows from the sizes. Sums go the other way.
void Forwarder::count_bytes(std::span<const std::uint64_t> block_bytes) {
  counts_bytes_ = true;
  all_ = std::accumulate(block_bytes.begin(), block_bytes.end(), std::uint64_t{0});
  std::vector<std::uint64_t> down(lanes_.size(), 0), up(lanes_.size(), 0);
  for (Node origin = 0; origin < block_bytes.size(); ++origin) {
    for (std::uint32_t tree = 0; tree < trees_->count(); ++tree) {
      const std::uint64_t bytes = begin_of_tree(origin, tree + 1, block_bytes[origin]) -
                                  begin_of_tree(origin, tree, block_bytes[origin]);
      for (const SpreadTrees::Branch& child : trees_->children(origin, tree)) down[child.lane] += bytes;
      if (origin != ports_.node()) up[trees_->entry(origin, tree)] += bytes;
    }
  }
  if (sums_) std::swap(down, up);
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    lanes_[i].unsent = down[i];
    if (down[i] == 0) lanes_[i].sent_level = longest_path_;
    if (up[i] > 0) continue;
    lanes_[i].received_level = longest_path_;
    lanes_[i].awaited = 0;
  }
}

// A short block goes along one tree: its parts would cost more messages than they save time.
std::uint64_t Forwarder::begin_of_tree(Node origin, std::uint32_t tree, std::uint64_t block_bytes) const {
  constexpr std::uint64_t short_part = 512;
  if (block_bytes < short_part * trees_->count()) return tree <= origin % trees_->count() ? 0 : block_bytes;
  return begin_of(tree, trees_->count(), block_bytes / element_bytes_) * element_bytes_;
}

void Forwarder::add(Node destination, std::span<const std::byte> block) {
  extremes_.smallest_block = std::min<std::uint64_t>(extremes_.smallest_block, block.size());
  if (block.empty()) return;
  extremes_.most_bytes += block.size();
  ++extremes_.most_blocks;
  extremes_.largest_block = std::max<std::uint64_t>(extremes_.largest_block, block.size());
  if (routes_ != nullptr) return add_by_routes(destination, block);
  const std::uint64_t orders = ports_.orders(), parts = parts_of(block.size(), orders);
  const std::uint64_t number = SplitMix(std::uint64_t{ports_.node()} << 32 | destination)();
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::uint64_t begin = begin_of(part, parts, block.size());
    const std::uint64_t end = begin_of(part + 1, parts, block.size());
    own_.push_back({.unit = {.origin = ports_.node(),
                             .destination = destination,
                             .offset = begin,
                             .order = static_cast<std::uint16_t>(
                                 ports_.order(order_place(part, parts, number % orders, orders))),
                             .bytes = static_cast<std::uint16_t>(end - begin)},
                    .route = nullptr,
                    .bytes = block.data() + begin,
                    .kept = nullptr});
  }
}

// Parts that follow each other have much the same route, so their stages are far apart: those of multiples of the golden ratio.
void Forwarder::add_by_routes(Node destination, std::span<const std::byte> block) {
  constexpr std::uint64_t golden = 40503;  // 2^16 / 1.618
  const std::uint64_t parts = routed_parts_of(block.size(), longest_path_ * sizeof(Route::value_type));
  const std::uint64_t first = SplitMix(std::uint64_t{ports_.node()} << 32 | destination)();
  std::uint64_t part = 0;
  for (Route& route : routes_->routes(destination, parts)) {
    const Route& kept = own_routes_.emplace_back(std::move(route));
    const std::uint64_t begin = begin_of(part, parts, block.size());
    const std::uint64_t stage = (first + part * golden) % (UINT16_MAX + 1) * stages / (UINT16_MAX + 1);
    const std::uint64_t end = begin_of(++part, parts, block.size());
    own_.push_back({.unit = {.origin = ports_.node(),
                             .destination = destination,
                             .offset = begin,
                             .order = static_cast<std::uint16_t>(stage),
                             .route = static_cast<std::uint16_t>(kept.size()),
                             .bytes = static_cast<std::uint16_t>(end - begin)},
                    .route = reinterpret_cast<const std::byte*>(kept.data()),
                    .bytes = block.data() + begin,
                    .kept = nullptr});
  }
}

void Forwarder::spread(std::span<const std::byte> block) {
  for (std::uint32_t tree = 0; tree < trees_->count(); ++tree)
    add_part(ports_.node(), Unit::everywhere, tree, block);
}

// A node without children has nothing to wait for.
void Forwarder::contribute(Node owner, std::span<const std::byte> block) {
  contributions_[owner] = block;
  for (std::uint32_t tree = 0; tree < trees_->count() && owner != ports_.node(); ++tree) {
    if (trees_->children(owner, tree).empty()) add_part(owner, Unit::summed, tree, block);
  }
}

void Forwarder::add_part(Node origin, Node destination, std::uint32_t tree,
                         std::span<const std::byte> block) {
  const std::uint64_t longest = std::clamp(usual_ / 4, least_ / 2, largest_unit) - sizeof(Unit);
  const std::uint64_t whole = std::max<std::uint64_t>(longest / element_bytes_, 1) * element_bytes_;
  const std::uint64_t end = begin_of_tree(origin, tree + 1, block.size());
  for (std::uint64_t begin = begin_of_tree(origin, tree, block.size()); begin < end;) {
    const std::uint64_t bytes = std::min(end - begin, whole);
    own_.push_back({.unit = {.origin = origin,
                             .destination = destination,
                             .offset = begin,
                             .order = static_cast<std::uint16_t>(tree),
                             .bytes = static_cast<std::uint16_t>(bytes)},
                    .route = nullptr,
                    .bytes = block.data() + begin,
                    .kept = nullptr});
    begin += bytes;
  }
}

void Forwarder::set_message_cost(MessageCost cost) {
  least_ = std::clamp(cost.least, least_message, most_message);
  if ((!counts_bytes_ && routes_ == nullptr) || longest_path_ < 2) return;
  const double carried =
      routes_ != nullptr ? routes_->busiest() : static_cast<double>(all_) / trees_->count();
  usual_ =
      static_cast<std::uint64_t>(std::sqrt(carried * static_cast<double>(cost.gap) / (longest_path_ - 1)));
}

void Forwarder::start() {
  is_staged_ = routes_ != nullptr && 2 * extremes_.most_blocks <= ports_.nodes();
  if (routes_ != nullptr && !is_staged_) {
    for (Queued& queued : own_) queued.unit.order = 0;
  }
  if (!counts_bytes_ && !is_staged_) {
    std::uint64_t own = 0;
    for (const Queued& queued : own_) own += queued.unit.bytes;
    usual_ = own / std::max<std::uint64_t>(8 * lanes_.size(), 1);
  }
  if (trees_ == nullptr) {
    SplitMix random(ports_.node());
    for (std::size_t i = own_.size(); i > 1; --i) std::swap(own_[i - 1], own_[random() % i]);
  }
  for (const Queued& queued : own_) push(queued);
  own_.clear();
}

// ---- queues

void Forwarder::push(const Queued& queued) {
  const Unit& unit = queued.unit;
  if (unit.destination == Unit::summed)
    return push(trees_->entry(unit.origin, unit.order), urgency_of_sum(unit), queued);
  if (unit.route > 0) return push(next_lane(queued), urgency_of_routed(unit), queued);
  if (unit.destination != Unit::everywhere)
    return push(lane_for(unit), ports_.distance(unit.destination), queued);
  for (const SpreadTrees::Branch& child : trees_->children(unit.origin, unit.order))
    push(child.lane, child.left, queued);
}

// By stages, then farthest first. Every block is spread over all stages, so in each of them a link has its share of all that it carries, and
// none waits for what others hold back. A node with blocks for most others, as in skewed exchanges, has one stage: its links are evenly
// mixed without, and farthest first ends sooner.
std::uint32_t Forwarder::urgency_of_routed(const Unit& unit) const {
  const std::uint32_t stage = std::min<std::uint32_t>(unit.order, stages - 1);
  return (stages - 1 - stage) * (longest_path_ + 1) + (unit.route - std::uint32_t{unit.hops});
}

// A node adds what its children send, so all must send the same stretches at about the same time: first by the place of the
// stretch in the part of its tree, in sixteenths, then farthest first. Parts of few stretches are spread over the time.
std::uint32_t Forwarder::urgency_of_sum(const Unit& unit) const {
  const std::uint64_t block = contributions_[unit.origin].size();
  const std::uint64_t begin = begin_of_tree(unit.origin, unit.order, block);
  const std::uint64_t bytes = begin_of_tree(unit.origin, unit.order + 1U, block) - begin;
  const std::uint64_t within =
      SplitMix(std::uint64_t{unit.origin} << 32 | unit.order)() % std::max<std::uint64_t>(unit.bytes, 1);
  const auto stage = static_cast<std::uint32_t>(std::min<std::uint64_t>(
      (unit.offset - begin + within) * stages / std::max<std::uint64_t>(bytes, 1), stages - 1));
  return (stages - 1 - stage) * (longest_path_ + 1) + trees_->depth(unit.origin, unit.order);
}

void Forwarder::push(std::size_t lane, std::uint32_t left, Queued queued) {
  Lane& to = lanes_[lane];
  to.backlog += queued.unit.bytes;
  ++to.queued_by_hop[std::size_t{queued.unit.hops} + 1];
  to.queues[left].push_back(std::move(queued));
}

std::size_t Forwarder::next_lane(const Queued& queued) const {
  Route::value_type lane = 0;
  std::memcpy(&lane, queued.route + queued.unit.hops * sizeof(lane), sizeof(lane));
  if (lane >= lanes_.size()) throw Error("a route over no link: all ranks must make the same call");
  return lane;
}

std::size_t Forwarder::lane_for(const Unit& unit) const {
  const auto wait = [&](std::size_t lane) {
    return static_cast<double>(lanes_[lane].backlog) / lanes_[lane].width;
  };
  const std::size_t preferred = ports_.preferred(unit.destination, unit.order);
  const auto closer = ports_.towards(unit.destination);
  const std::size_t shortest = *std::ranges::min_element(closer, {}, wait);
  return wait(preferred) > wait(shortest) + 2 * most_message ? shortest : preferred;
}

std::uint32_t Forwarder::level(const Lane& lane) const {
  if (counts_bytes_) return lane.unsent == 0 ? longest_path_ : 0;
  std::uint32_t result = longest_path_;
  for (const Lane& other : lanes_) result = std::min(result, other.received_level + 1);
  for (std::uint32_t hop = 1; hop <= result; ++hop) {
    if (lane.queued_by_hop[hop] > 0) return hop - 1;
  }
  return result;
}

// ---- messages

bool Forwarder::has_message(std::size_t lane, bool idle) const {
  const Lane& from = lanes_[lane];
  return from.backlog > 0 || (idle && from.sent_level < longest_path_ && level(from) > from.sent_level);
}

// The first messages are shorter, but hold what pays for the processor's time.
std::uint64_t Forwarder::limit(const Lane& lane) const {
  const std::uint64_t wanted = counts_bytes_ || is_staged_ ? usual_ : std::max(usual_, lane.backlog / 4);
  const std::uint64_t most = std::clamp(wanted, least_, most_message);
  constexpr std::uint64_t rise = 4;
  return std::clamp(most * (lane.sent_messages + 1) / rise, std::min(least_, most / 2), most);
}

// Farthest first.
std::vector<Forwarder::Queued> Forwarder::take(Lane& lane) const {
  const std::uint64_t most = limit(lane);
  std::vector<Queued> taken;
  std::uint64_t size = 0;
  for (std::size_t left = lane.queues.size(); left-- > 0;) {
    for (auto& queue = lane.queues[left]; !queue.empty();) {
      const Unit& unit = queue.front().unit;
      const std::uint64_t more = sizeof(Unit) + route_bytes(unit) + unit.bytes;
      if (!taken.empty() && size + more > most) return taken;
      size += more;
      lane.backlog -= unit.bytes;
      --lane.queued_by_hop[std::size_t{unit.hops} + 1];
      taken.push_back(std::move(queue.front()));
      queue.pop_front();
    }
  }
  return taken;
}

std::uint32_t Forwarder::following(std::size_t lane) const {
  const Lane& from = lanes_[lane];
  const std::uint64_t left = counts_bytes_ ? from.unsent : from.backlog;
  const std::uint64_t full = (left + most_message - 1) / most_message;
  const std::uint64_t least = from.sent_level < longest_path_ ? 1 : 0;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(full, least, window(lane)));
}

std::uint64_t Forwarder::write(std::size_t lane, std::byte* message) {
  Lane& from = lanes_[lane];
  const std::vector<Queued> taken = take(from);
  ++from.sent_messages;
  std::byte* at = message + sizeof(Header);
  for (const Queued& queued : taken) {
    Unit unit = queued.unit;
    ++unit.hops;
    if (counts_bytes_) from.unsent -= unit.bytes;
    std::memcpy(at, &unit, sizeof(Unit));
    at += sizeof(Unit);
  }
  for (const Queued& queued : taken) {
    if (queued.unit.route > 0) std::memcpy(at, queued.route, route_bytes(queued.unit));
    at += route_bytes(queued.unit);
    std::memcpy(at, queued.bytes, queued.unit.bytes);
    at += queued.unit.bytes;
  }
  from.sent_level = std::max(from.sent_level, level(from));
  const Header header{static_cast<std::uint32_t>(taken.size()), static_cast<std::uint16_t>(from.sent_level),
                      static_cast<std::uint16_t>(following(lane)), extremes_};
  std::memcpy(message, &header, sizeof(Header));
  return static_cast<std::uint64_t>(at - message);
}

void Forwarder::receive(std::size_t lane, const Message& message, std::uint64_t bytes) {
  Header header;
  if (bytes < sizeof(Header)) throw Error("a message without its header: all ranks must make the same call");
  std::memcpy(&header, message.get(), sizeof(Header));
  const std::byte* units = message.get() + sizeof(Header);
  const std::uint64_t described = sizeof(Header) + std::uint64_t{header.units} * sizeof(Unit);
  const std::byte* data = message.get() + described;
  std::uint64_t left = bytes < described ? 0 : bytes - described;
  for (std::uint32_t i = 0; i < header.units && bytes >= described; ++i) {
    Unit unit;
    std::memcpy(&unit, units + std::size_t{i} * sizeof(Unit), sizeof(Unit));
    require_sound(unit);
    const std::uint64_t size = route_bytes(unit) + unit.bytes;
    if (size > left) throw Error("a message is shorter than its units: all ranks must make the same call");
    accept(lane, {unit, data, data + route_bytes(unit), message});
    data += size;
    left -= size;
  }
  if (bytes < described || left > 0)
    throw Error("a message does not have the length of its units: all ranks must make the same call");
  extremes_.include(header.extremes);
  lanes_[lane].received_level = header.level;
  lanes_[lane].awaited = header.following;
}

void Forwarder::require_sound(const Unit& unit) const {
  const bool has_tree = trees_ != nullptr && unit.order < trees_->count();
  const bool is_known = unit.destination == Unit::everywhere ? has_tree && !sums_
                        : unit.destination == Unit::summed
                            ? has_tree && sums_
                            : trees_ == nullptr && unit.destination < ports_.nodes() &&
                                  (unit.route == 0 || is_on_route(unit, ports_.node()));
  if (is_known && unit.origin < ports_.nodes() && unit.hops >= 1 && unit.hops <= longest_path_) return;
  throw Error("a message of another collective: all ranks must make the same call");
}

void Forwarder::accept(std::size_t lane, const Queued& arrived) {
  const Unit& unit = arrived.unit;
  if (unit.destination == Unit::summed) return accept_sum(lane, unit, arrived.bytes, arrived.kept);
  const bool is_here = unit.destination == ports_.node();
  if (is_here || unit.destination == Unit::everywhere) deliver_(unit, arrived.bytes);
  if (!is_here) push(arrived);
}

// A sum makes its first hop at every node again: bytes, not levels, tell the end.
void Forwarder::accept_sum(std::size_t lane, Unit unit, const std::byte* bytes, const Message& kept) {
  const std::span<const std::byte> own = contributions_[unit.origin];
  if (unit.offset + unit.bytes > own.size())
    throw Error("blocks of other sizes: all ranks must give the same counts");
  auto total = sums_->add({unit.origin, unit.order, unit.offset}, lane, bytes, kept, unit.bytes,
                          trees_->children(unit.origin, unit.order).size(), own.data() + unit.offset);
  if (!total) return;
  if (unit.origin == ports_.node()) return deliver_(unit, total->get());
  unit.hops = 0;
  push({unit, nullptr, total->get(), *total});
}

bool Forwarder::is_complete() const {
  return std::ranges::all_of(lanes_, [&](const Lane& lane) {
    return lane.backlog == 0 && lane.sent_level == longest_path_ && lane.received_level == longest_path_;
  });
}

}  // namespace isotrope::forward
