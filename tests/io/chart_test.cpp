// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/chart.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "tests/io/refusal.hpp"

namespace isotrope::io {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::Gt;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Lt;
using testing::Not;
using testing::SizeIs;

std::string svg(const Chart& chart) {
  std::ostringstream out;
  write_svg(out, chart);
  return out.str();
}

std::string csv(const Chart& chart) {
  std::ostringstream out;
  write_csv(out, chart);
  return out.str();
}

// What stands between every `open` and the next `close`.
std::vector<std::string> between(const std::string& text, const std::string& open, const std::string& close) {
  std::vector<std::string> result;
  for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at)) {
    at += open.size();
    result.push_back(text.substr(at, text.find(close, at) - at));
  }
  return result;
}

struct Plot {
  double left = 0, top = 0, bottom = 0, right = 0;
};

Plot plot_of(const std::string& picture) {
  Plot plot;
  char skip = 0;
  std::istringstream path(between(picture, "<path class='axes' fill='none' stroke='#222222' d='", "'").at(0));
  path >> skip >> plot.left >> plot.top >> skip >> plot.bottom >> skip >> plot.right;
  EXPECT_FALSE(path.fail());
  return plot;
}

std::vector<std::vector<Point>> lines_of(const std::string& picture) {
  std::vector<std::vector<Point>> result;
  for (const std::string& points : between(picture, " points='", "'")) {
    result.emplace_back();
    std::istringstream in(points);
    char comma = 0;
    for (Point point; in >> point.x >> comma >> point.y;) result.back().push_back(point);
  }
  return result;
}

Point place_of_text(const std::string& picture, const std::string& text) {
  for (const std::string& element : between(picture, "<text ", "</text>")) {
    if (element.substr(element.find('>') + 1) != text) continue;
    return {std::stod(between(element, "x='", "'").at(0)), std::stod(between(element, "y='", "'").at(0))};
  }
  ADD_FAILURE() << "no text " << text;
  return {};
}

std::vector<std::string> x_ticks(const ChartAxis& axis, const std::vector<double>& values) {
  Chart chart;
  chart.x = axis;
  chart.series.resize(1);
  for (const double value : values) chart.series[0].points.push_back({value, 0});
  return between(svg(chart), "class='x-tick'>", "<");
}

std::vector<std::string> y_ticks(const std::vector<double>& values) {
  Chart chart;
  chart.series.resize(1);
  double x = 0;
  for (const double value : values) chart.series[0].points.push_back({x++, value});
  return between(svg(chart), "class='y-tick'>", "<");
}

// Every tag is closed by its own name, and what looks like the start of a tag or an entity is one.
void expect_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find_first_of("<&"); at != std::string::npos;
       at = xml.find_first_of("<&", at + 1)) {
    const std::string rest = xml.substr(at, 5);
    if (rest[0] == '&') {
      EXPECT_TRUE(rest == "&amp;" || rest.substr(0, 4) == "&lt;" || rest.substr(0, 4) == "&gt;") << rest;
      continue;
    }
    const std::size_t end = xml.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = xml.substr(at + 1, end - at - 1), name = tag.substr(0, tag.find(' '));
    if (name[0] == '/') {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(name.substr(1), open.back());
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    EXPECT_EQ(std::count(tag.begin(), tag.end(), '\'') % 2, 0) << tag;
  }
  EXPECT_THAT(open, IsEmpty());
}

TEST(Chart, lies_between_the_ends_of_its_axes) {
  const Chart chart{"", "", {}, {}, {{"", {{0, 0}, {5, 2}, {10, 5}}}}, {}};
  const std::string picture = svg(chart);

  const Plot plot = plot_of(picture);
  const std::vector<Point> line = lines_of(picture).at(0);
  ASSERT_THAT(line, SizeIs(3));
  EXPECT_EQ(line[0].x, plot.left);
  EXPECT_EQ(line[0].y, plot.bottom);
  EXPECT_NEAR(line[1].x, (plot.left + plot.right) / 2, 0.02);
  EXPECT_NEAR(line[1].y, plot.bottom - 0.4 * (plot.bottom - plot.top), 0.02);
  EXPECT_EQ(line[2].x, plot.right);
  EXPECT_EQ(line[2].y, plot.top);
}

TEST(Chart, lies_by_logarithms_on_logarithmic_axes) {
  const Chart chart{
      "", "", {"", true, 2}, {"", true, 10}, {{"", {{1, 0.01}, {32, 1}, {1024, 100}}}}, {{2, 0.1, "mark"}}};
  const std::string picture = svg(chart);

  const Plot plot = plot_of(picture);
  const std::vector<Point> line = lines_of(picture).at(0);
  ASSERT_THAT(line, SizeIs(3));
  EXPECT_EQ(line[0].x, plot.left);
  EXPECT_EQ(line[0].y, plot.bottom);
  EXPECT_NEAR(line[1].x, (plot.left + plot.right) / 2, 0.02);
  EXPECT_NEAR(line[1].y, (plot.top + plot.bottom) / 2, 0.02);
  EXPECT_EQ(line[2].x, plot.right);
  EXPECT_EQ(line[2].y, plot.top);
  EXPECT_NEAR(std::stod(between(picture, "<circle cx='", "'").at(0)),
              plot.left + 0.1 * (plot.right - plot.left), 0.02);
  EXPECT_NEAR(std::stod(between(picture, " cy='", "'").at(0)), plot.bottom - 0.25 * (plot.bottom - plot.top),
              0.02);
}

TEST(Chart, has_ticks_at_1_2_and_5_times_powers_of_ten) {
  const ChartAxis linear;
  EXPECT_THAT(x_ticks(linear, {2, 14}), ElementsAre("2", "4", "6", "8", "10", "12", "14"));
  EXPECT_THAT(x_ticks(linear, {3, 13}), ElementsAre("2", "4", "6", "8", "10", "12", "14"));
  EXPECT_THAT(x_ticks(linear, {0, 0.3, 1.1}), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0", "1.2"));
  EXPECT_THAT(x_ticks(linear, {-2.5, 1}),
              ElementsAre("−2.5", "−2.0", "−1.5", "−1.0", "−0.5", "0", "0.5", "1.0"));
  EXPECT_THAT(x_ticks(linear, {1, 75}), ElementsAre("0", "10", "20", "30", "40", "50", "60", "70", "80"));
  EXPECT_THAT(x_ticks(linear, {0, 4e7}), ElementsAre("0", "0.5×10⁷", "1.0×10⁷", "1.5×10⁷", "2.0×10⁷",
                                                     "2.5×10⁷", "3.0×10⁷", "3.5×10⁷", "4.0×10⁷"));
  EXPECT_THAT(x_ticks(linear, {0, 4e-6}), ElementsAre("0", "0.5×10⁻⁶", "1.0×10⁻⁶", "1.5×10⁻⁶", "2.0×10⁻⁶",
                                                      "2.5×10⁻⁶", "3.0×10⁻⁶", "3.5×10⁻⁶", "4.0×10⁻⁶"));
}

TEST(Chart, has_labels_at_decades_or_between_them) {
  const ChartAxis decades{"", true, 10};
  EXPECT_THAT(x_ticks(decades, {1, 10000}), ElementsAre("1", "10", "100", "1000", "10000"));
  EXPECT_THAT(x_ticks(decades, {0.002, 30}), ElementsAre("0.01", "0.1", "1", "10"));
  EXPECT_THAT(x_ticks(decades, {1e-6, 0.03}), ElementsAre("10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²"));
  EXPECT_THAT(x_ticks(decades, {5, 100}), ElementsAre("5", "10", "20", "50", "100"));
  EXPECT_THAT(x_ticks(decades, {2e6, 5e6}), ElementsAre("2×10⁶", "3×10⁶", "4×10⁶", "5×10⁶"));
  EXPECT_THAT(x_ticks(decades, {1e-20, 1e20}),
              ElementsAre("10⁻¹⁸", "10⁻¹²", "10⁻⁶", "10⁰", "10⁶", "10¹²", "10¹⁸"));
}

TEST(Chart, has_labels_at_powers_of_two) {
  const ChartAxis octaves{"", true, 2};
  EXPECT_THAT(x_ticks(octaves, {1, 1 << 20}),
              ElementsAre("1", "4", "16", "64", "256", "1 Ki", "4 Ki", "16 Ki", "64 Ki", "256 Ki", "1 Mi"));
  EXPECT_THAT(x_ticks(octaves, {1, 1 << 30}),
              ElementsAre("1", "32", "1 Ki", "32 Ki", "1 Mi", "32 Mi", "1 Gi"));
  EXPECT_THAT(x_ticks(octaves, {0.3, 3}), ElementsAre("1/4", "1/2", "1", "2", "4"));
  EXPECT_THAT(x_ticks(octaves, {std::ldexp(1, -12), std::ldexp(1, -10)}),
              ElementsAre("2⁻¹²", "2⁻¹¹", "2⁻¹⁰"));
}

TEST(Chart, starts_y_at_0_unless_the_values_lie_close_together) {
  EXPECT_THAT(y_ticks({4, 10}), ElementsAre("0", "2", "4", "6", "8", "10"));
  EXPECT_THAT(y_ticks({101, 104}),
              ElementsAre("101.0", "101.5", "102.0", "102.5", "103.0", "103.5", "104.0"));
}

TEST(Chart, has_axes_around_what_there_is) {
  EXPECT_THAT(x_ticks({}, {}), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(x_ticks({}, {0}), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(x_ticks({}, {4}), ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "8"));
  EXPECT_THAT(x_ticks({}, {-4}), ElementsAre("−8", "−7", "−6", "−5", "−4", "−3", "−2", "−1", "0"));
  EXPECT_THAT(x_ticks({"", true, 10}, {}), ElementsAre("1", "2", "5", "10"));
  EXPECT_THAT(x_ticks({"", true, 10}, {5}), ElementsAre("4", "5", "6"));
  EXPECT_THAT(x_ticks({"", true, 2}, {8}), ElementsAre("4", "8", "16"));
  EXPECT_THAT(y_ticks({3, 3, 3}), ElementsAre("0", "1", "2", "3", "4", "5", "6"));
  expect_well_formed(svg({}));
}

// A line of one point would not show.
TEST(Chart, shows_a_single_point_by_its_marker) {
  const auto markers = [](std::vector<Point> points) {
    const Chart chart{"", "", {}, {}, {{"", std::move(points), false, false}}, {}};
    return between(svg(chart), "<path transform='", "/>").size();
  };
  EXPECT_EQ(markers({{1, 1}}), 1u);
  EXPECT_EQ(markers({{1, 1}, {2, 2}}), 0u);
}

TEST(Chart, names_series_beside_their_ends_where_there_is_room) {
  Chart chart{"", "", {}, {}, {{"low", {{0, 0}, {1, 1}}}, {"high", {{0, 0}, {1, 9}}}, {"empty", {}}}, {}};
  std::string picture = svg(chart);
  const std::vector<std::vector<Point>> lines = lines_of(picture);
  EXPECT_THAT(place_of_text(picture, "low").x, Gt(plot_of(picture).right));
  EXPECT_NEAR(place_of_text(picture, "low").y, lines[0][1].y, 6);
  EXPECT_NEAR(place_of_text(picture, "high").y, lines[1][1].y, 6);
  EXPECT_THAT(picture, Not(HasSubstr("empty")));

  chart.series[1].points[1].y = 1.1;
  picture = svg(chart);
  EXPECT_THAT(place_of_text(picture, "high").x, Gt(plot_of(picture).right));
  EXPECT_THAT(place_of_text(picture, "low").y - place_of_text(picture, "high").y, Gt(15)) << "moved apart";

  for (int i = 0; i < 9; ++i) chart.series.push_back(chart.series[0]);
  picture = svg(chart);
  EXPECT_THAT(place_of_text(picture, "high").y, Lt(plot_of(picture).top))
      << "too many at one place: a legend";

  chart.series.resize(2);
  chart.series[1].points[1].x = 2;
  picture = svg(chart);
  EXPECT_THAT(place_of_text(picture, "high").y, Lt(plot_of(picture).top)) << "one ends inside: a legend";
}

TEST(Chart, grows_with_its_legend) {
  const auto picture = [](std::size_t series) {
    Chart chart;
    chart.series.resize(series, {std::string(50, 'n'), {{0, 0}, {1, 1}}});
    return svg(chart);
  };
  EXPECT_THAT(picture(9), HasSubstr("height='520'"));
  EXPECT_THAT(picture(60), Not(HasSubstr("height='520'")));
  EXPECT_NEAR(plot_of(picture(60)).bottom - plot_of(picture(60)).top, 180, 0.02);
}

TEST(Chart, puts_labels_of_marks_inside_and_apart) {
  const Chart chart{"", "", {},
                    {}, {}, {{0, 0, "corner"}, {2, 2, "opposite"}, {1, 1, "middle"}, {1, 1, "again"}}};
  const std::string picture = svg(chart);
  const Plot plot = plot_of(picture);
  for (const Mark& mark : chart.marks) {
    const Point at = place_of_text(picture, mark.label);
    EXPECT_TRUE(at.x > plot.left && at.x < plot.right && at.y > plot.top && at.y < plot.bottom) << mark.label;
  }
  const Point middle = place_of_text(picture, "middle"), again = place_of_text(picture, "again");
  EXPECT_THAT(std::hypot(middle.x - again.x, middle.y - again.y), Gt(18));
}

// The upper right would be the first choice.
TEST(Chart, puts_labels_of_marks_where_no_line_runs) {
  const std::string picture = svg({"", "", {}, {}, {{"", {{0, 0}, {10, 10}}}}, {{5, 5, "label"}}});
  const Plot plot = plot_of(picture);
  EXPECT_THAT(place_of_text(picture, "label").x, Lt((plot.left + plot.right) / 2 - 10));
  EXPECT_THAT(place_of_text(picture, "label").y, Lt((plot.top + plot.bottom) / 2));
}

// 3 of 0..4 at the right stands three quarters up, whatever the values at the left.
TEST(Chart, has_a_second_axis_at_the_right) {
  Chart chart;
  chart.x.label = "x";
  chart.right = ChartAxis{.label = "right"};
  chart.series = {{.name = "a", .points = {{0, 0}, {10, 1000}}},
                  {.name = "b", .points = {{0, 0}, {5, 3}, {10, 4}}, .right = true}};
  const std::string text = svg(chart);
  EXPECT_THAT(between(text, "class='right-tick'>", "<"), ElementsAre("0", "1", "2", "3", "4"));
  EXPECT_THAT(text, HasSubstr("rotate(90 "));
  const Plot plot = plot_of(text);
  double x = 0, y = 0;
  char comma = 0;
  std::istringstream points(between(text, " points='", "'").at(1));
  for (int i = 0; i < 2; ++i) points >> x >> comma >> y;
  EXPECT_NEAR(x, (plot.left + plot.right) / 2, 0.2);
  EXPECT_NEAR(y, plot.bottom - 0.75 * (plot.bottom - plot.top), 0.2);
  EXPECT_EQ(csv(chart), "x,a,b\n0,0,0\n5,,3\n10,1000,4\n");

  chart.right.reset();
  EXPECT_THROW(svg(chart), Error);
}

TEST(Chart, escapes_texts) {
  const std::string nasty = "<b>&\"'\x01";
  const Chart chart{nasty, nasty, {nasty}, {nasty}, {{nasty, {{0, 0}}}}, {{0, 0, nasty}}};
  const std::string picture = svg(chart);
  expect_well_formed(picture);
  EXPECT_THAT(between(picture, "<title>", "</title>"), ElementsAre("&lt;b&gt;&amp;\"'\\x01"));
  EXPECT_THAT(between(picture, "&lt;b&gt;&amp;\"'\\x01", "<"), SizeIs(7));
}

ChartAxis random_axis(std::mt19937& random) {
  return {"label", random() % 2 == 0, random() % 2 == 0 ? 2 : 10};
}

Chart random_chart(std::mt19937& random) {
  std::uniform_real_distribution<double> power(-40, 40), share(0, 1);
  const double x_power = power(random), y_power = power(random);
  Chart chart;
  chart.x = random_axis(random);
  chart.y = random_axis(random);
  chart.series.resize(random() % 10);
  for (Series& series : chart.series) {
    series = {std::string(random() % 60, 'n'), {}, random() % 2 == 0, random() % 2 == 0};
    double x = std::pow(10, x_power);
    for (auto count = random() % 30; count > 0; --count) {
      x *= 1.01 + share(random);
      series.points.push_back({x, std::pow(10, y_power * share(random))});
      if (!chart.y.logarithmic && share(random) < 0.3) series.points.back().y *= -1;
    }
    if (!series.points.empty()) chart.marks.push_back({x, series.points.back().y, "mark"});
  }
  return chart;
}

TEST(Chart, is_well_formed_and_within_its_axes_whatever_the_values) {
  std::mt19937 random(1990);
  for (int i = 0; i < 60; ++i) {
    const Chart chart = random_chart(random);
    const std::string picture = svg(chart);
    expect_well_formed(picture);
    EXPECT_EQ(picture, svg(chart)) << "the same every time";

    const Plot plot = plot_of(picture);
    const std::vector<std::vector<Point>> lines = lines_of(picture);
    ASSERT_THAT(lines, SizeIs(chart.series.size()));
    for (std::size_t s = 0; s < lines.size(); ++s) {
      ASSERT_THAT(lines[s], SizeIs(chart.series[s].points.size()));
      for (const Point& at : lines[s]) {
        EXPECT_TRUE(at.x >= plot.left && at.x <= plot.right && at.y >= plot.top && at.y <= plot.bottom);
      }
    }
    const std::size_t ticks = between(picture, "class='x-tick'>", "<").size();
    EXPECT_TRUE(ticks >= 2 && ticks <= 13) << ticks;
  }
}

TEST(ChartTable, has_a_row_for_every_x) {
  const Chart chart{
      "title",
      "note",
      {"packet size (bytes)", true, 2},
      {"time (s)"},
      {{"a, or \"b\"", {{1, 0.1}, {1024, 1e-6}}}, {"none", {}}, {"c", {{0.5, -3}, {1024, 1e21}, {2e9, 7}}}},
      {{1, 1, "mark"}}};
  EXPECT_EQ(csv(chart),
            "packet size (bytes),\"a, or \"\"b\"\"\",none,c\n"
            "0.5,,,-3\n"
            "1,0.1,,\n"
            "1024,1e-06,,1e+21\n"
            "2000000000,,,7\n");
  EXPECT_EQ(csv({"", "", {"x"}, {}, {}, {}}), "x\n");
}

TEST(ChartTable, gives_numbers_that_read_back_as_the_same) {
  std::mt19937_64 random(1986);
  std::uniform_real_distribution<double> mantissa(-1, 1), power(-300, 300);
  Series series{"y", {}};
  for (int i = 0; i < 500; ++i)
    series.points.push_back({i / 7.0, mantissa(random) * std::pow(10, power(random))});
  std::istringstream in(csv({"", "", {"x"}, {}, {series}, {}}));
  std::string line;
  std::getline(in, line);
  for (const Point& point : series.points) {
    ASSERT_TRUE(std::getline(in, line));
    const std::size_t comma = line.find(',');
    EXPECT_EQ(std::strtod(line.c_str(), nullptr), point.x);
    EXPECT_EQ(std::strtod(line.c_str() + comma + 1, nullptr), point.y);
  }
}

std::string refusal_of(const Chart& chart) {
  const std::string message = refusal([&] { svg(chart); });
  EXPECT_EQ(message, refusal([&] { csv(chart); }));
  return message;
}

TEST(Chart, refuses_values_that_have_no_place) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   inf = std::numeric_limits<double>::infinity();
  const ChartAxis logarithmic{"size", true, 10};
  const auto with = [](const ChartAxis& x, double value) {
    return Chart{"", "", x, {}, {{"curve", {{value, 1}}}}, {}};
  };
  for (const double value : {nan, inf, -inf, 1e301}) {
    EXPECT_THAT(refusal_of(with({"size"}, value)), HasSubstr("series 'curve'"));
    EXPECT_THAT(refusal_of(with(logarithmic, value)), HasSubstr("series 'curve'"));
    EXPECT_THAT(refusal_of({"", "", {}, {"time"}, {{"curve", {{1, value}}}}, {}}), HasSubstr("'time'"));
    EXPECT_THAT(refusal_of({"", "", {}, {}, {}, {{0, value, "cross"}}}), HasSubstr("mark 'cross'"));
  }
  for (const double value : {0.0, -0.0, -1.0, 1e-310}) {
    EXPECT_EQ(refusal_of(with({"size"}, value)), "accepted");
    EXPECT_THAT(refusal_of(with(logarithmic, value)), HasSubstr("logarithmic axis 'size'"));
  }
  EXPECT_EQ(refusal_of(with(logarithmic, -1)),
            "series 'curve' has -1 on the logarithmic axis 'size', which takes 1e-300 to 1e+300: leave it "
            "out or choose "
            "a linear axis");
}

TEST(Chart, refuses_points_out_of_order) {
  EXPECT_EQ(refusal_of({"", "", {}, {}, {{"curve", {{1, 0}, {3, 0}, {2, 0}}}}, {}}),
            "series 'curve' has x = 2 after x = 3: give its points with ascending x");
  EXPECT_THAT(refusal_of({"", "", {}, {}, {{"curve", {{1, 0}, {1, 2}}}}, {}}),
              HasSubstr("x = 1 after x = 1"));
}

TEST(Chart, refuses_other_bases_and_encodings) {
  EXPECT_EQ(refusal_of({"", "", {"size", true, 3}, {}, {}, {}}), "axis 'size' has log_base 3: give 2 or 10");
  const std::string latin1 = "\xE9";
  EXPECT_THAT(refusal_of({latin1, "", {}, {}, {}, {}}), HasSubstr("not UTF-8"));
  EXPECT_THAT(refusal_of({"", latin1, {}, {}, {}, {}}), HasSubstr("not UTF-8"));
  EXPECT_THAT(refusal_of({"", "", {latin1}, {}, {}, {}}), HasSubstr("not UTF-8"));
  EXPECT_THAT(refusal_of({"", "", {}, {}, {{latin1, {}}}, {}}), HasSubstr("not UTF-8"));
  EXPECT_THAT(refusal_of({"", "", {}, {}, {}, {{0, 0, latin1}}}), HasSubstr("not UTF-8"));
}

TEST(Chart, says_so_when_the_stream_fails) {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  EXPECT_THROW(write_svg(out, {}), Error);
  EXPECT_THROW(write_csv(out, {}), Error);
}

}  // namespace
}  // namespace isotrope::io
