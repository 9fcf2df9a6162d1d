// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/io/chart_parts.hpp"
#include "isotrope/io/svg.hpp"

namespace isotrope::io {
namespace {

constexpr double width = 800, usual_height = 520, least_plot_height = 180, key_width = 42;

struct Shape {
  std::string_view path;
  bool filled;
};

// Nine shapes and seven colours, so that 63 series differ.
constexpr std::array<Shape, 9> shapes = {{{"M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", true},
                                          {"M-3.7-3.7h7.4v7.4h-7.4z", true},
                                          {"M0-5.2l4.8 8.3h-9.6z", true},
                                          {"M0-5.3l5.3 5.3-5.3 5.3-5.3-5.3z", true},
                                          {"M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", false},
                                          {"M-3.5-3.5h7v7h-7z", false},
                                          {"M0 4.8l4.5-7.8h-9z", false},
                                          {"M-3.5-3.5l7 7m0-7l-7 7", false},
                                          {"M-4.5 0h9m-4.5-4.5v9", false}}};
constexpr std::array<std::string_view, 7> colours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                     "#E69F00", "#56B4E9", "#000000"};

constexpr std::string_view right_colour = "#666666";

// Dots tell a series of the axis at the right from all others.
std::string_view dashes_of(const Series& series) {
  if (series.right) return " stroke-dasharray='2 3'";
  return series.dashed ? " stroke-dasharray='7 4'" : "";
}

struct LabelBox {
  double left = 0, top = 0, right = 0, bottom = 0;

  bool contains(Point at) const { return at.x > left && at.x < right && at.y > top && at.y < bottom; }
  bool meets(const LabelBox& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
  bool within(const LabelBox& other) const {
    return left >= other.left && right <= other.right && top >= other.top && bottom <= other.bottom;
  }
};

class Picture : Svg {
 public:
  explicit Picture(const Chart& chart) : chart_(chart), x_(x_scale(chart)), y_(left_scale(chart)) {
    if (chart.right) right_.emplace(right_scale(chart));
    set_texts(chart.title, chart.note, width);
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
      if (!chart.series[i].points.empty() && !chart.series[i].name.empty()) named_.push_back(i);
    }
    place_plot();
    if (!place_names()) place_legend();
  }

  std::string draw() {
    begin(width, height_);
    draw_axes();
    for (std::size_t i = 0; i < chart_.series.size(); ++i) draw_series(i);
    legend_columns_ == 0 ? draw_names() : draw_legend();
    draw_marks();
    return end(height_);
  }

 private:
  // The name of a series beside its end.
  struct Name {
    std::size_t series = 0;
    Point end;
    double y = 0;
  };

  double x_at(double value) const { return plot_.left + x_(value) * (plot_.right - plot_.left); }
  double height_at(double share) const { return plot_.bottom - share * (plot_.bottom - plot_.top); }
  double y_at(double value) const { return height_at(y_(value)); }
  double right_at(double value) const { return height_at((*right_)(value)); }
  Point place(Point of) const { return {x_at(of.x), y_at(of.y)}; }
  Point place(const Series& series, Point of) const {
    return series.right ? Point{x_at(of.x), right_at(of.y)} : place(of);
  }

  double widest_name() const {
    double widest = 0;
    for (const std::size_t i : named_) widest = std::max(widest, width_of(chart_.series[i].name, text_size));
    return widest;
  }

  static double widest_label(const Scale& scale) {
    double widest = 0;
    for (const Tick& tick : scale.ticks()) widest = std::max(widest, width_of(tick.label, text_size));
    return widest;
  }

  void place_plot() {
    plot_ = {edge + 2 * text_size + widest_label(y_), edge + title_height() + 14, width - 2 * edge,
             height_ - edge - note_height() - 3.5 * text_size};
    if (right_) plot_.right = width - edge - 2 * text_size - widest_label(*right_);
    grow();
  }

  // Makes the picture higher if texts leave too little height for the plot.
  void grow() {
    const double missing = std::max(0.0, plot_.top + least_plot_height - plot_.bottom);
    plot_.bottom += missing;
    height_ += missing;
  }

  // Names that are too close push each other apart; the pushes soon become small.
  static void move_apart(std::vector<Name>& names) {
    for (std::size_t times = 0; times < 100; ++times) {
      for (std::size_t i = 1; i < names.size(); ++i) {
        const double push = std::max(0.0, names[i - 1].y + height_of(1, text_size) - names[i].y) / 2;
        names[i - 1].y -= push;
        names[i].y += push;
      }
    }
  }

  // Places the names beside the ends, if these lie at one x and shifts of a few pixels make room for every name.
  bool place_names() {
    constexpr double longest = 190, farthest = 24;
    if (right_ || widest_name() > longest) return false;
    std::vector<Name> names;
    for (const std::size_t i : named_) {
      const Point end = chart_.series[i].points.back();
      if (end.x != chart_.series[named_.front()].points.back().x) return false;
      names.push_back({i, end, y_at(end.y)});
    }
    std::stable_sort(names.begin(), names.end(), [](const Name& a, const Name& b) { return a.y < b.y; });
    move_apart(names);
    for (const Name& name : names) {
      if (std::abs(name.y - y_at(name.end.y)) > farthest) return false;
    }
    names_ = std::move(names);
    plot_.right -= widest_name();
    return true;
  }

  // Places the legend in rows above the plot.
  void place_legend() {
    const double room = width - edge - plot_.left;
    legend_top_ = plot_.top;
    legend_width_ = std::min(widest_name() + key_width + 2 * text_size, room);
    legend_columns_ = static_cast<std::size_t>(room / legend_width_);
    plot_.top += height_of((named_.size() + legend_columns_ - 1) / legend_columns_, text_size) + 8;
    grow();
  }

  // `at` is half-way up the text. An empty text draws nothing.
  void draw_text(Point at, std::string_view anchor, std::string_view text, std::string_view more = "") {
    if (text.empty()) return;
    add("<text x='{}' y='{}' text-anchor='{}' {}>{}</text>\n", px(at.x), px(at.y + 0.36 * text_size), anchor,
        more, escaped(text));
  }

  void draw_axes() {
    std::string grid, ticks;
    for (const Tick& tick : x_.ticks()) {
      const bool minor = tick.label.empty();
      const std::string start = fmt::format("M{} ", px(x_at(tick.value)));
      if (!minor) grid += start + fmt::format("{}V{}", px(plot_.top), px(plot_.bottom));
      ticks += start + fmt::format("{}v{}", px(plot_.bottom), minor ? 3 : 6);
    }
    for (const Tick& tick : y_.ticks()) {
      const bool minor = tick.label.empty();
      const std::string start = fmt::format("M{} {}H", px(plot_.left), px(y_at(tick.value)));
      if (!minor) grid += start + fmt::format("{}", px(plot_.right));
      ticks += start + fmt::format("{}", px(plot_.left - (minor ? 3 : 6)));
    }
    if (right_) {
      for (const Tick& tick : right_->ticks())
        ticks +=
            fmt::format("M{} {}h{}", px(plot_.right), px(right_at(tick.value)), tick.label.empty() ? 3 : 6);
    }
    add("<path class='grid' stroke='#e2e2e2' d='{}'/>\n<path class='ticks' stroke='#222222' d='{}'/>\n", grid,
        ticks);
    add("<path class='axes' fill='none' stroke='#222222' d='M{} {}V{}H{}{}'/>\n", px(plot_.left),
        px(plot_.top), px(plot_.bottom), px(plot_.right), right_ ? fmt::format("V{}", px(plot_.top)) : "");
    draw_axis_texts();
  }

  void draw_axis_texts() {
    for (const Tick& tick : x_.ticks()) {
      draw_text({x_at(tick.value), plot_.bottom + 16}, "middle", tick.label, "class='x-tick'");
    }
    for (const Tick& tick : y_.ticks()) {
      draw_text({plot_.left - 9, y_at(tick.value)}, "end", tick.label, "class='y-tick'");
    }
    draw_text({(plot_.left + plot_.right) / 2, plot_.bottom + 36}, "middle", chart_.x.label);
    const Point at{edge + 0.6 * text_size, (plot_.top + plot_.bottom) / 2};
    draw_text(at, "middle", chart_.y.label, fmt::format("transform='rotate(-90 {} {})'", px(at.x), px(at.y)));
    if (!right_) return;
    for (const Tick& tick : right_->ticks())
      draw_text({plot_.right + 9, right_at(tick.value)}, "start", tick.label, "class='right-tick'");
    const Point beside{width - edge - 0.6 * text_size, at.y};
    draw_text(beside, "middle", chart_.right->label,
              fmt::format("transform='rotate(90 {} {})'", px(beside.x), px(beside.y)));
  }

  std::string_view colour_of(std::size_t series) const {
    return chart_.series[series].right ? right_colour : colours[series % colours.size()];
  }

  void draw_marker(std::size_t series, Point at) {
    const Shape shape = shapes[series % shapes.size()];
    const std::string_view colour = colour_of(series), white = "#ffffff";
    add("<path transform='translate({} {})' d='{}' fill='{}' stroke='{}' stroke-width='{}'/>\n", px(at.x),
        px(at.y), shape.path, shape.filled ? colour : white, shape.filled ? white : colour,
        shape.filled ? 1 : 1.6);
  }

  void draw_series(std::size_t index) {
    constexpr double closest = 16;
    const Series& series = chart_.series[index];
    std::string path;
    for (const Point& point : series.points) {
      const Point at = place(series, point);
      path += fmt::format("{}{},{}", path.empty() ? "" : " ", px(at.x), px(at.y));
    }
    add("<polyline fill='none' stroke='{}' stroke-width='2' stroke-linejoin='round'{} points='{}'/>\n",
        colour_of(index), dashes_of(series), path);
    // A single point has no visible line.
    if (!series.markers && series.points.size() != 1) return;
    Point last{-width, -height_};
    for (const Point& point : series.points) {
      const Point at = place(series, point);
      if (std::hypot(at.x - last.x, at.y - last.y) < closest) continue;
      draw_marker(index, at);
      last = at;
    }
  }

  void draw_names() {
    for (const Name& name : names_) {
      const Point end = place(name.end);
      add("<path stroke='{}' d='M{} {}L{} {}'/>\n", colour_of(name.series), px(end.x + 7), px(end.y),
          px(end.x + 14), px(name.y));
      draw_text({end.x + 17, name.y}, "start", chart_.series[name.series].name);
    }
  }

  void draw_legend() {
    for (std::size_t i = 0; i < named_.size(); ++i) {
      const Series& series = chart_.series[named_[i]];
      const double x = plot_.left + static_cast<double>(i % legend_columns_) * legend_width_;
      const double y = legend_top_ + height_of(i / legend_columns_, text_size) + text_size / 2;
      add("<path stroke='{}' stroke-width='2'{} d='M{} {}h{}'/>\n", colour_of(named_[i]), dashes_of(series),
          px(x), px(y), key_width - 8);
      if (series.markers) draw_marker(named_[i], {x + key_width / 2 - 4, y});
      draw_text({x + key_width, y}, "start", shortened(series.name, text_size, legend_width_ - key_width));
    }
  }

  // The lines as points a few pixels apart.
  std::vector<Point> ink() const {
    std::vector<Point> result;
    for (const Series& series : chart_.series) {
      for (std::size_t i = 1; i < series.points.size(); ++i) {
        const Point from = place(series, series.points[i - 1]), to = place(series, series.points[i]);
        const double paces = std::ceil(std::hypot(to.x - from.x, to.y - from.y) / 3);
        for (double k = 0; k < paces; ++k) {
          result.push_back({from.x + (to.x - from.x) * k / paces, from.y + (to.y - from.y) * k / paces});
        }
      }
    }
    return result;
  }

  void draw_marks() {
    const std::vector<Point> inked = ink();
    std::vector<LabelBox> taken;
    for (const Mark& mark : chart_.marks) {
      const Point at = place({mark.x, mark.y});
      add("<circle cx='{0}' cy='{1}' r='6' fill='none' stroke='#222222' stroke-width='1.5'/>"
          "<circle cx='{0}' cy='{1}' r='1.8'/>\n",
          px(at.x), px(at.y));
      taken.push_back({at.x - 6, at.y - 6, at.x + 6, at.y + 6});
    }
    for (const Mark& mark : chart_.marks) {
      const LabelBox box = place_label(mark, inked, taken);
      taken.push_back(box);
      draw_text(
          {(box.left + box.right) / 2, (box.top + box.bottom) / 2}, "middle", mark.label,
          "class='mark' stroke='#ffffff' stroke-width='4' stroke-linejoin='round' paint-order='stroke'");
    }
  }

  // One of eight places around the ring: in the plot, clear of rings and labels, over the least ink.
  LabelBox place_label(const Mark& mark, const std::vector<Point>& inked,
                       const std::vector<LabelBox>& taken) const {
    const Point at = place({mark.x, mark.y});
    const double across = width_of(mark.label, text_size) / 2, up = height_of(1, text_size) / 2;
    const auto cost = [&](const LabelBox& box) {
      return std::count_if(inked.begin(), inked.end(), [&](Point point) { return box.contains(point); }) +
             std::count_if(taken.begin(), taken.end(),
                           [&](const LabelBox& other) { return box.meets(other); }) *
                 1000 +
             (box.within(plot_) ? 0 : 1000000);
    };
    std::vector<LabelBox> boxes;
    for (const auto& [right, down] :
         {std::pair{1, -1}, {-1, -1}, {1, 1}, {-1, 1}, {0, -1}, {0, 1}, {1, 0}, {-1, 0}}) {
      const Point centre{at.x + right * (across + 10), at.y + down * (up + 7)};
      boxes.push_back({centre.x - across, centre.y - up, centre.x + across, centre.y + up});
    }
    return *std::min_element(boxes.begin(), boxes.end(),
                             [&](const LabelBox& a, const LabelBox& b) { return cost(a) < cost(b); });
  }

  const Chart& chart_;
  Scale x_, y_;
  std::optional<Scale> right_;
  std::vector<std::size_t> named_;  // the series that have points and a name
  double height_ = usual_height;
  LabelBox plot_;
  std::vector<Name> names_;         // from the top
  std::size_t legend_columns_ = 0;  // 0: there is none
  double legend_width_ = 0, legend_top_ = 0;
};

}  // namespace

std::string picture(const Chart& chart) {
  return Picture(chart).draw();
}

}  // namespace isotrope::io
