// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/network_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "isotrope/network/rates.hpp"

#include "isotrope/io/network_layout.hpp"
#include "isotrope/io/network_slice.hpp"
#include "isotrope/io/svg.hpp"

namespace isotrope::io {
namespace {

using network::Link;
using network::Network;
using network::Node;
using network::Port;

constexpr double label_size = 11, least_width = 480, key_line = 30, key_gap = 14;
constexpr double head_length = 9, head_half_width = 4.2, lane = 4.5;
constexpr double stub_label_at = node_radius + stub_length + 9;
constexpr std::string_view pale = "#cfcfcf", grey = "#8c8c8c", white = "#ffffff";
constexpr std::string_view halo =
    "stroke='#ffffff' stroke-width='3.5' stroke-linejoin='round' paint-order='stroke'";

double length(Point a) {
  return std::hypot(a.x, a.y);
}

// To the right of a way.
Point right_of(Point way) {
  return {-way.y, way.x};
}

// Large numbers have smaller digits, so that all fit into their nodes.
double number_size(Node order) {
  return order > 1000 ? 9.5 : 11;
}

struct Segment {
  Point from, to;
};

// A box that labels must not cover.
struct Box {
  Point centre;
  double across = 0, up = 0;  // half of its width and height

  bool meets(const Box& other) const {
    return std::abs(centre.x - other.centre.x) < across + other.across &&
           std::abs(centre.y - other.centre.y) < up + other.up;
  }
};

// Tests the axes that may separate them: the axes of the box, and the normal of the segment.
bool crosses(const Segment& segment, const Box& box) {
  const Point half = 0.5 * (segment.to - segment.from), away = segment.from + half - box.centre;
  return std::abs(away.x) < box.across + std::abs(half.x) && std::abs(away.y) < box.up + std::abs(half.y) &&
         std::abs(away.x * half.y - away.y * half.x) <
             box.across * std::abs(half.y) + box.up * std::abs(half.x);
}

class Drawing : Svg {
 public:
  // The number of node v is `first` + v.
  Drawing(const Network& network, const NetworkPicture& picture, Node first)
      : network_(network),
        picture_(picture),
        first_(first),
        layout_(layout_of(network, picture.failed, picture.coordinates)),
        highlighted_(layout_.stubs.size()),
        shift_of_(network.degree(), 0),
        is_first_copy_(network.degree(), false) {
    constexpr double most_across = 22;
    for (const std::vector<Port>& copies : network::without_copies(network).copies) {
      is_first_copy_[copies.front()] = true;
      const auto rate = static_cast<double>(copies.size());
      for (std::size_t k = 0; k < copies.size(); ++k)
        shift_of_[copies[k]] = most_across / rate * (static_cast<double>(k) - (rate - 1) / 2);
    }
    for (const LinkHighlight& highlight : picture.links) highlighted_[index(highlight.link)] = true;
    note_failures();
    frame();
    if (picture.animation) style_.emplace(*picture.animation);
  }

  std::string draw() {
    begin(px(width_), px(height_));
    if (style_) add("{}", style_->element());
    draw_links();
    for (const LinkHighlight& highlight : picture_.links) draw_arrow(highlight);
    draw_nodes();
    if (style_) draw_motion();
    draw_labels();
    draw_key();
    return end(height_);
  }

 private:
  std::size_t index(Link link) const { return std::size_t{link.node} * network_.degree() + link.port; }
  Node far_end(Link link) const { return network_.neighbour(link.node, link.port); }
  Link back(Link link) const { return {far_end(link), network_.opposite(link.port)}; }
  const std::optional<Point>& stub(Link link) const { return layout_.stubs[index(link)]; }
  Point place(Node node) const { return layout_.places[node]; }

  // The unit vector in which a link leaves its node.
  Point way(Link link) const {
    if (stub(link)) return *stub(link);
    const Point whole = place(far_end(link)) - place(link.node);
    return 1 / length(whole) * whole;
  }

  // How far to the right of its way a link is drawn, so that links side by side do not cover each other.
  double shift(Link link) const {
    return index(link) <= index(back(link)) ? shift_of_[link.port] : -shift_of_[back(link).port];
  }
  Point shift_in_picture(Link link) const { return shift(link) * right_of(way(link)); }

  template <class Function>
  void for_each_link(Function function) const {
    for (Node node = 0; node < network_.order(); ++node) {
      for (Port port = 0; port < network_.degree(); ++port) {
        if (!absent_links_[index({node, port})]) function(Link{node, port});
      }
    }
  }

  void note_failures() {
    failed_nodes_.resize(network_.order());
    failed_links_.resize(layout_.stubs.size());
    absent_links_.resize(layout_.stubs.size(), !picture_.failed.edges.empty());
    for (const Link link : network::links_of(network_, picture_.failed.edges)) set_absent(link, false);
    for (const Link link : network::closing_links(network_, picture_.failed.open_axes))
      set_absent(link, true);
    for (const Node node : picture_.failed.nodes) {
      failed_nodes_[node] = true;
      for (Port port = 0; port < network_.degree(); ++port) fail({node, port});
    }
    for (const Link link : picture_.failed.links) fail(link);
  }

  void set_absent(Link link, bool absent) {
    absent_links_[index(link)] = absent_links_[index(back(link))] = absent;
  }
  void fail(Link link) { failed_links_[index(link)] = failed_links_[index(back(link))] = true; }

  // Moves the layout to its place below the title, and finds the size of the whole.
  void frame() {
    Point low = place(0), high = place(0);
    for (const Point at : layout_.places) {
      low = {std::min(low.x, at.x), std::min(low.y, at.y)};
      high = {std::max(high.x, at.x), std::max(high.y, at.y)};
    }
    const bool has_stubs =
        std::ranges::any_of(layout_.stubs, [](const auto& stub) { return stub.has_value(); });
    const double margin = has_stubs ? stub_label_at + 1.5 * label_size : node_radius + 4;
    const double across = high.x - low.x + 2 * margin;
    width_ = std::max(across + 2 * edge, least_width);
    set_texts(picture_.title, picture_.note, width_);
    const double top = edge + title_height() + (title_height() == 0 ? 0 : 8);
    const Point shift = Point{(width_ - across) / 2 + margin, top + margin} - low;
    for (Point& at : layout_.places) at = at + shift;
    key_top_ = top + high.y - low.y + 2 * margin + 8;
    place_key();
    height_ = key_top_ + height_of(key_rows_, text_size) + note_height() + edge;
  }

  // Places the key in rows, entry beside entry.
  void place_key() {
    Point at{edge, 0};
    for (const KeyEntry& entry : key()) {
      const double wide = key_line + width_of(entry.text, text_size);
      if (at.x > edge && at.x + wide > width_ - edge) at = {edge, at.y + height_of(1, text_size)};
      key_places_.push_back({at.x, key_top_ + at.y + text_size / 2});
      at.x += wide + key_gap;
      key_rows_ = static_cast<std::size_t>(std::lround(at.y / height_of(1, text_size))) + 1;
    }
  }

  const std::vector<KeyEntry>& key() const { return picture_.key; }

  // `at` is the middle of the text.
  void draw_text(Point at, double size, std::string_view text, std::string_view more) {
    add("<text x='{}' y='{}' font-size='{}' text-anchor='middle' {}>{}</text>\n", px(at.x),
        px(at.y + 0.36 * size), size, more, escaped(text));
  }

  // Draws every link once: a line, or two stubs.
  void draw_links() {
    add("<g stroke='{}' stroke-width='1.3'>\n", pale);
    for_each_link([&](Link link) {
      if (index(link) > index(back(link))) return;
      const std::string_view dashes =
          failed_links_[index(link)] ? " stroke='#8c8c8c' stroke-dasharray='4 4'" : "";
      if (!stub(link)) {
        const Point from = place(link.node) + shift_in_picture(link),
                    to = place(far_end(link)) + shift_in_picture(link);
        add("<path class='link'{} d='M{} {}L{} {}'/>\n", dashes, px(from.x), px(from.y), px(to.x), px(to.y));
        return;
      }
      add("<path class='link'{} d='", dashes);
      for (const Link half : {link, back(link)}) {
        const Segment segment = stub_line(half, shift(half));
        add("M{} {}L{} {}", px(segment.from.x), px(segment.from.y), px(segment.to.x), px(segment.to.y));
      }
      add("'/>\n");
    });
    add("</g>\n");
    draw_stub_numbers();
  }

  void draw_stub_numbers() {
    for_each_link([&](Link link) {
      if (!stub(link) || !is_first_copy_[link.port]) return;
      const bool strong = highlighted_[index(link)] || highlighted_[index(back(link))];
      const Point at = place(link.node) + stub_label_at * way(link);
      draw_text(at, 10, fmt::format("{}", first_ + far_end(link)),
                strong ? "class='stub'" : "class='stub' fill='#8c8c8c'");
    });
  }

  // The stub from the rim of its node outwards, `aside` pixels to the right.
  Segment stub_line(Link link, double aside) const {
    const Point start = place(link.node) + aside * right_of(way(link));
    return {start + node_radius * way(link), start + (node_radius + stub_length) * way(link)};
  }

  // The arrows of a highlighted link: one from rim to rim, or one out of its node and one into the other's.
  std::vector<Segment> arrows(Link link) const {
    const double aside = shift(link) + (highlighted_[index(back(link))] ? lane : 0);
    if (stub(link)) {
      const Segment arrival = stub_line(back(link), -aside);
      return {stub_line(link, aside), {arrival.to, arrival.from}};
    }
    const Point across = aside * right_of(way(link)), rim = (node_radius + 1) * way(link);
    return {{place(link.node) + across + rim, place(far_end(link)) + across - rim}};
  }

  void draw_arrow(const LinkHighlight& highlight) {
    for (const Segment& arrow : arrows(highlight.link)) {
      const Point along = 1 / length(arrow.to - arrow.from) * (arrow.to - arrow.from);
      const Point neck = arrow.to - head_length * along, wing = head_half_width * right_of(along);
      const Point left = neck - wing, right = neck + wing;
      add("<path class='arrow' stroke='{0}' stroke-width='2.4' d='M{1} {2}L{3} {4}'/>"
          "<path fill='{0}' d='M{5} {6}L{7} {8}L{9} {10}z'/>\n",
          highlight.colour, px(arrow.from.x), px(arrow.from.y), px(neck.x), px(neck.y), px(arrow.to.x),
          px(arrow.to.y), px(left.x), px(left.y), px(right.x), px(right.y));
    }
  }

  void draw_nodes() {
    std::vector<std::string_view> colours(network_.order());
    for (const NodeHighlight& highlight : picture_.nodes) colours[highlight.node] = highlight.colour;
    for (Node node = 0; node < network_.order(); ++node) {
      const Point at = place(node);
      const bool filled = !colours[node].empty();
      add("<circle class='node' cx='{}' cy='{}' r='{}' fill='{}' stroke='{}' stroke-width='1.3'{}/>\n",
          px(at.x), px(at.y), node_radius, filled ? colours[node] : white, filled ? colours[node] : grey,
          failed_nodes_[node] ? " stroke-dasharray='3 3'" : "");
      if (failed_nodes_[node]) draw_cross(at, 0.71 * node_radius);
      if (style_ && !filled)
        add("<circle class='{}' cx='{}' cy='{}' r='{}' fill='{}'/>\n", style_->node_class(node), px(at.x),
            px(at.y), node_radius, filling_colour);
      draw_text(at, number_size(first_ + network_.order()), fmt::format("{}", first_ + node),
                filled                ? "fill='#ffffff' font-weight='bold'"
                : failed_nodes_[node] ? halo
                                      : "");
    }
    for_each_link([&](Link link) {
      if (failed_links_[index(link)] && !stub(link) && index(link) <= index(back(link)))
        draw_cross(0.5 * (place(link.node) + place(far_end(link))) + shift_in_picture(link), 5);
    });
  }

  // Every packet on its link, and the number of the round.
  void draw_motion() {
    for (const bool front : {false, true}) {
      for (const Flight& flight : picture_.animation->flights) {
        if (flight.followed == front) draw_flight(flight);
      }
    }
    for (std::uint64_t round = 0; round < picture_.animation->rounds; ++round)
      add("<text class='{}' x='{}' y='{}' text-anchor='end' font-weight='bold'>round {}</text>\n",
          style_->round_class(round), px(width_ - edge), px(edge + title_height() + text_size), round);
  }

  void draw_flight(const Flight& flight) {
    const std::vector<Segment> ways = flights(flight.link);
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const Point move = ways[i].to - ways[i].from;
      add("<circle class='{}' style='--x:{}px;--y:{}px' cx='{}' cy='{}' r='{}' fill='{}' "
          "stroke='#333333'/>\n",
          style_->flight_class(flight.round, ways.size() == 1 ? 2 : static_cast<int>(i)), px(move.x),
          px(move.y), px(ways[i].from.x), px(ways[i].from.y), flight.followed ? 5 : 3.6,
          flight.followed ? followed_colour : other_colour);
    }
  }

  // From place to place on the right of the link, or out of one node and into the other.
  std::vector<Segment> flights(Link link) const {
    const Point across = (shift(link) + lane) * right_of(way(link));
    if (!stub(link)) return {{place(link.node) + across, place(far_end(link)) + across}};
    const Point out = (node_radius + stub_length) * way(link);
    const Point from = place(link.node) + across, to = place(far_end(link)) + across;
    return {{from, from + out}, {to - out, to}};
  }

  void draw_cross(Point at, double half) {
    add("<path class='failed' stroke='#8c8c8c' stroke-width='1.6' d='M{0} {1}l{2} {2}m0 -{2}l-{2} {2}'/>\n",
        px(at.x - half), px(at.y - half), px(2 * half));
  }

  // The boxes of nodes and of the numbers of stubs.
  std::vector<Box> obstacles() const {
    std::vector<Box> result;
    for (const Point at : layout_.places) result.push_back({at, node_radius, node_radius});
    for_each_link([&](Link link) {
      if (stub(link)) result.push_back({place(link.node) + stub_label_at * way(link), 7, 5});
    });
    return result;
  }

  // The places a label may take: on its line, nearest to the middle first, or on either side of its stub.
  std::vector<Point> label_places(Link link) const {
    const Segment arrow = arrows(link).front();
    std::vector<Point> result;
    if (stub(link)) {
      for (const double aside : {10.0, -10.0})
        result.push_back(0.5 * (arrow.from + arrow.to) + aside * right_of(way(link)));
      return result;
    }
    // The labels of two opposite arrows keep to their own halves.
    const double first = highlighted_[index(back(link))] ? 0.34 : 0.45;
    for (const double change : {0.0, -0.07, 0.07, -0.13, 0.13, 0.2, 0.27}) {
      const double share = first + change;
      result.push_back(arrow.from + share * (arrow.to - arrow.from));
    }
    return result;
  }

  void draw_labels() {
    std::vector<Box> taken = obstacles();
    std::vector<Segment> lines;
    for (const LinkHighlight& highlight : picture_.links) lines.push_back(arrows(highlight.link).front());
    for (const LinkHighlight& highlight : picture_.links) {
      if (highlight.label.empty()) continue;
      const Box box = place_label(highlight, taken, lines);
      taken.push_back(box);
      draw_text(box.centre, label_size, highlight.label,
                fmt::format("class='label' font-weight='bold' {}", halo));
    }
  }

  // The place that covers the fewest nodes and labels, then the fewest other arrows.
  Box place_label(const LinkHighlight& highlight, const std::vector<Box>& taken,
                  const std::vector<Segment>& lines) const {
    constexpr double clear = 5;
    std::vector<std::pair<std::ptrdiff_t, Box>> choices;
    for (const Point at : label_places(highlight.link)) {
      const Box box{at, width_of(highlight.label, label_size) / 2, 0.42 * label_size};
      const Box around{at, box.across + clear, box.up + clear};
      const auto covered = std::ranges::count_if(taken, [&](const Box& other) { return other.meets(box); });
      const auto crossed =
          std::ranges::count_if(lines, [&](const Segment& line) { return crosses(line, around); });
      choices.emplace_back(100 * covered + crossed, box);
    }
    return std::ranges::min_element(choices, {}, &std::pair<std::ptrdiff_t, Box>::first)->second;
  }

  void draw_key() {
    for (std::size_t i = 0; i < key().size(); ++i) {
      const KeyEntry& entry = key()[i];
      const Point at = key_places_[i];
      if (entry.sign == KeyEntry::Sign::node) {
        add("<circle cx='{}' cy='{}' r='6' fill='{}'/>\n", px(at.x + 12), px(at.y), entry.colour);
      } else {
        add("<path stroke='{0}' stroke-width='2.4' d='M{1} {2}h15'/>"
            "<path fill='{0}' d='M{3} {2}l-9 -4.2v8.4z'/>\n",
            entry.colour, px(at.x), px(at.y), px(at.x + 24));
      }
      add("<text x='{}' y='{}'>{}</text>\n", px(at.x + key_line), px(at.y + 0.36 * text_size),
          escaped(entry.text));
    }
  }

  const Network& network_;
  const NetworkPicture& picture_;
  Node first_;
  NetworkLayout layout_;
  std::vector<bool> highlighted_;                  // one a directed link
  std::vector<double> shift_of_;                   // by port, of links in the lower direction
  std::vector<bool> is_first_copy_;                // by port, of links side by side
  std::vector<bool> failed_nodes_, failed_links_;  // one per node, one per directed link
  std::vector<bool> absent_links_;                 // one per directed link
  std::vector<Point> key_places_;
  std::optional<AnimationStyle> style_;
  std::size_t key_rows_ = 0;
  double key_top_ = 0, width_ = 0, height_ = 0;
};

// What the picture has in the slice, in the numbers of the slice.
NetworkPicture within(const NetworkSlice& slice, const Network& network, NetworkPicture picture) {
  const std::size_t links = picture.links.size();
  std::erase_if(picture.links, [&](const LinkHighlight& highlight) { return !slice.own(highlight.link); });
  std::erase_if(picture.nodes, [&](const NodeHighlight& highlight) { return !slice.has(highlight.node); });
  for (LinkHighlight& highlight : picture.links) highlight.link = *slice.own(highlight.link);
  for (NodeHighlight& highlight : picture.nodes) highlight.node -= slice.first();
  if (picture.animation) {
    std::vector<Flight>& flights = picture.animation->flights;
    std::erase_if(flights, [&](const Flight& flight) { return !slice.own(flight.link); });
    for (Flight& flight : flights) flight.link = *slice.own(flight.link);
    auto& shares = picture.animation->shares;
    shares = {shares.begin() + slice.first(), shares.begin() + slice.first() + slice.network().order()};
  }
  picture.failed = slice.failed();
  picture.coordinates.clear();
  const std::string part = fmt::format("nodes {} to {} of {}", slice.first(),
                                       slice.first() + slice.network().order() - 1, network.order());
  picture.title += fmt::format(": {}", part);
  picture.note += fmt::format("{}Shown is a slice of {}, {}: {}. {} of the {} links of a node leave it",
                              picture.note.empty() ? "" : " ", network.name(), slice.network().name(), part,
                              network.degree() - slice.network().degree(), network.degree());
  picture.note += links == 0 ? "." : fmt::format("; of {} arrows {} are shown.", links, picture.links.size());
  return picture;
}

Node highlighted_node(const NetworkPicture& picture) {
  return picture.nodes.empty() ? 0 : picture.nodes.front().node;
}

}  // namespace

void check_pictured(const Network& network, const network::Failures& failed) {
  if (undrawable_reason(network, failed) && !slice_of(network, failed, 0)) check_drawable(network, failed);
}

std::string draw_network(const Network& network, const NetworkPicture& picture) {
  check_pictured(network, picture.failed);
  if (!undrawable_reason(network, picture.failed)) return Drawing(network, picture, 0).draw();
  const auto slice = slice_of(network, picture.failed, highlighted_node(picture));
  return Drawing(slice->network(), within(*slice, network, picture), slice->first()).draw();
}

}  // namespace isotrope::io
