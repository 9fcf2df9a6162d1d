// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The pages for first steps: each line "    $ isotrope ..." is run, page by page in a folder of its own, and prints what the
// page shows. "..." stands for any text.
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/cli/cli.hpp"
#include "tests/page_examples.hpp"

namespace isotrope::app {
namespace {

constexpr std::string_view indent = "    ";
constexpr std::string_view prompt = "    $ isotrope ";

struct Snippet {
  std::string arguments;
  std::string shown;
};

std::vector<Snippet> snippets(const std::string& page) {
  std::ifstream lines(page);
  std::vector<Snippet> result;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(prompt)) {
      result.push_back({line.substr(prompt.size()), ""});
      inside = true;
    } else if (inside && line.starts_with(indent)) {
      result.back().shown += line.substr(indent.size()) + "\n";
    } else {
      inside = false;
    }
  }
  return result;
}

bool is_shown_as(std::string_view text, std::string_view shown) {
  const std::size_t dots = shown.find("...");
  if (dots == std::string_view::npos) return text == shown;
  if (!text.starts_with(shown.substr(0, dots))) return false;
  const std::string_view rest = shown.substr(dots + 3);
  for (std::size_t at = dots; at <= text.size(); ++at) {
    if (is_shown_as(text.substr(at), rest)) return true;
  }
  return false;
}

class Page : public Cli, public testing::WithParamInterface<const char*> {};

TEST_P(Page, shows_what_the_program_prints) {
  const std::string page = std::string(ISOTROPE_DOCS) + "/" + GetParam();
  for (const std::string& plan : examples_of(page.c_str(), "own plan")) write("own.json", plan);
  const std::vector<Snippet> found = snippets(page);
  EXPECT_FALSE(found.empty());
  for (const Snippet& snippet : found) {
    const Outcome outcome = run(snippet.arguments);
    EXPECT_EQ(outcome.status, 0) << snippet.arguments << ": " << outcome.err;
    EXPECT_TRUE(is_shown_as(outcome.out, snippet.shown)) << snippet.arguments << " prints\n" << outcome.out;
  }
}

INSTANTIATE_TEST_SUITE_P(FirstSteps, Page,
                         testing::Values("index.md", "install.md", "how-to.md", "tutorial-mpi.md",
                                         "tutorial-research.md", "tutorial-student.md"));

TEST(Snippet, matches_with_dots_for_any_text) {
  EXPECT_TRUE(is_shown_as("a\nb\nc\n", "a\n...\nc\n"));
  EXPECT_TRUE(is_shown_as("a 1\n", "a ...\n"));
  EXPECT_FALSE(is_shown_as("a\nb\n", "a\n...\nc\n"));
  EXPECT_FALSE(is_shown_as("b\n", "a\n"));
}

}  // namespace
}  // namespace isotrope::app
