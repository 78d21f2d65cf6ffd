// Compares every marked value of docs/source-notes.md, such as "0.9093 <!-- sin2 -->", with the
// result of the core. The document is generated from a page of the book
// (scripts/docs/source-notes.mjs).

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <numbers>
#include <set>
#include <sstream>

#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

double table_value(const EncodingConfig& config, double position, int dim, int channel) {
  Tensor out;
  const Status status = position_table(config, std::vector<double>{position}, dim).move_to(out);
  EXPECT_TRUE(status.ok()) << status.message();
  return status.ok() ? static_cast<double>(out.data[static_cast<std::size_t>(channel)])
                     : std::nan("");
}

// The notes count from 1: their sin(2) is the second row.
double sin_cos(int number, int channel) {
  return table_value({.id = "sin_cos", .params = {{"start", 1.0}}}, number - 1, 2, channel);
}

double sinusoid(double position, int dim, int channel) {
  return table_value({.id = "sinusoidal", .params = {}}, position, dim, channel);
}

double normalised(const char* convention, int length, int row) {
  std::vector<double> positions;
  for (int p = 0; p < length; ++p) positions.push_back(p);
  const auto out = value_of(position_table(
      {.id = "normalised_index", .params = {{"convention", std::string(convention)}}}, positions,
      1));
  return static_cast<double>(out.data[static_cast<std::size_t>(row)]);
}

/// The angle of a pair after one token, radians. Pairs are counted from 0.
double frequency(int dim, int pair) {
  const auto out =
      value_of(rotary_angles({.id = "rope", .params = {}}, std::vector<double>{1}, dim));
  return static_cast<double>(out.data[static_cast<std::size_t>(pair)]);
}

/// Tokens per period of the slowest pair.
double slowest_turn(int dim) { return 2 * std::numbers::pi / frequency(dim, dim / 2 - 1); }

double rotate_pair(float x3, float x4, int channel) {
  const auto out =
      value_of(apply_rotary({.id = "rope", .params = {}}, Role::query, std::vector<double>{2},
                            Tensor({1, 1, 4}, {1, 2, x3, x4})));
  return static_cast<double>(out.data[static_cast<std::size_t>(channel)]);
}

/// The sine of a position at the frequency 1 / k.
double multi_frequency(int position, int k) {
  return table_value({.id = "multi_frequency", .params = {}}, position, 6, 2 * k - 2);
}

/// The bias of one of six heads at a distance of one token.
double slope_of_six(int head) {
  const auto out = value_of(attention_bias({.id = "alibi", .params = {}}, 6, 2, 2, 0));
  return static_cast<double>(out.data[static_cast<std::size_t>(head * 4 + 2)]);
}

double bucket(int distance) {
  std::vector<int> out;
  const std::vector<int> relative = {distance};
  EXPECT_TRUE(t5_bucket(relative, 32, 128, true).move_to(out).ok());
  return out[0];
}

double t5_scale() {
  const auto encoding =
      value_of(create_encoding({.id = "t5", .params = {}}, {.length = 4, .dim = 8, .heads = 2}));
  return encoding->scale(8).value_or(0);
}

double different_distances(int n) {
  const auto out = value_of(attention_bias({.id = "relative_bias", .params = {}}, 1, n, n, 0));
  const std::set<float> values(out.data.begin(), out.data.end());
  return static_cast<double>(values.size());
}

double different_clipped(int clip) {
  std::set<int> rows;
  for (int distance = -9; distance <= 9; ++distance)
    rows.insert(value_of(shaw_index(distance, clip)));
  return static_cast<double>(rows.size());
}

const std::map<std::string, std::function<double()>>& computed() {
  static const std::map<std::string, std::function<double()>> all = {
      {"distances5", [] { return different_distances(5); }},
      {"clipped2", [] { return different_clipped(2); }},
      {"sine_right", [] { return sinusoid(1, 8, 0); }},
      {"sine_left", [] { return sinusoid(-1, 8, 0); }},
      {"cosine_left", [] { return sinusoid(-1, 8, 1); }},
      {"sin2", [] { return sin_cos(2, 0); }},
      {"sin3", [] { return sin_cos(3, 0); }},
      {"sin4", [] { return sin_cos(4, 0); }},
      {"cos1", [] { return sin_cos(1, 1); }},
      {"cos2", [] { return sin_cos(2, 1); }},
      {"cos3", [] { return sin_cos(3, 1); }},
      {"cos4", [] { return sin_cos(4, 1); }},
      {"bank0", [] { return sinusoid(1, 6, 0); }},
      {"bank2", [] { return sinusoid(1, 6, 2); }},
      {"bank3", [] { return sinusoid(1, 6, 3); }},
      {"bank4", [] { return sinusoid(1, 6, 4); }},
      {"bank5", [] { return sinusoid(1, 6, 5); }},
      {"over_n2", [] { return normalised("over_n_from_one", 4, 1); }},
      {"over_n4", [] { return normalised("over_n_from_one", 4, 3); }},
      {"over_n4b", [] { return normalised("over_n_from_one", 4, 3); }},
      {"t5_scale", t5_scale},
      {"t5_bucket20", [] { return bucket(20); }},
      {"t5_bucket22", [] { return bucket(22); }},
      {"turn16", [] { return slowest_turn(16); }},
      {"turn512", [] { return slowest_turn(512); }},
      {"theta_first", [] { return frequency(512, 0); }},
      {"theta_last", [] { return frequency(512, 255); }},
      // The slide's formula uses the channel itself in place of its neighbour, as if the pair were
      // (x3, x3) or (x4, x4).
      {"pair_x3", [] { return rotate_pair(3, 4, 2); }},
      {"pair_x4", [] { return rotate_pair(3, 4, 3); }},
      {"written_x3", [] { return rotate_pair(3, 3, 2); }},
      {"written_x4", [] { return rotate_pair(4, 4, 3); }},
      {"sin_377", [] { return multi_frequency(377, 1); }},
      {"sin_377_half", [] { return multi_frequency(377, 2); }},
      {"sin_377_third", [] { return multi_frequency(377, 3); }},
      {"sin_44", [] { return sin_cos(44, 0); }},
      {"sin_710", [] { return sin_cos(710, 0); }},
      {"pe_50", [] { return sinusoid(50, 16, 0); }},
      {"pe_60", [] { return sinusoid(60, 16, 0); }},
      {"pe_1000", [] { return sinusoid(1000, 16, 0); }},
      {"pe_1010", [] { return sinusoid(1010, 16, 0); }},
      {"step10", [] { return normalised("linspace", 10, 1); }},
      {"step20", [] { return normalised("linspace", 20, 1); }},
      {"slope6_first", [] { return slope_of_six(0); }},
      {"slope6_last", [] { return slope_of_six(5); }},
      {"d4_p1", [] { return sinusoid(1, 4, 3); }},
      {"d4_p2", [] { return sinusoid(2, 4, 3); }},
      {"d128_p1_127", [] { return sinusoid(1, 128, 127); }},
      {"d128_p49_127", [] { return sinusoid(49, 128, 127); }},
      {"d128_p1_2", [] { return sinusoid(1, 128, 2); }},
      {"d128_p1_3", [] { return sinusoid(1, 128, 3); }},
      {"d128_p2_2", [] { return sinusoid(2, 128, 2); }},
      {"d128_p2_3", [] { return sinusoid(2, 128, 3); }},
      {"d128_p49_2", [] { return sinusoid(49, 128, 2); }},
      {"d128_p49_3", [] { return sinusoid(49, 128, 3); }},
      {"d128_p49_1", [] { return sinusoid(49, 128, 1); }},
  };
  return all;
}

TEST(SourceNotes, MarkedValuesMatchTheCore) {
  std::ifstream file(PHASOR_SOURCE_DIR "/docs/source-notes.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string page = text.str();
  ASSERT_FALSE(page.empty());
  const std::string note_begin = " <!-- ", note_end = " -->", minus = "\u2212";
  std::map<std::string, int> note_counts;
  for (std::size_t offset = page.find(note_begin); offset != std::string::npos;
       offset = page.find(note_begin, offset + 1)) {
    const std::string id = page.substr(offset + note_begin.size(),
                                       page.find(note_end, offset) - offset - note_begin.size());
    ASSERT_TRUE(computed().contains(id)) << "nothing computes " << id;
    // The word before the mark, with a minus sign that strtod accepts.
    const std::size_t start = page.find_last_of(" |", offset - 1) + 1;
    std::string number = page.substr(start, offset - start);
    if (number.starts_with(minus)) number = "-" + number.substr(minus.size());
    const std::size_t point = number.find('.');
    const double digits =
        point == std::string::npos ? 9 : static_cast<double>(number.size() - point - 1);
    // The tolerance is half a unit of the last printed digit; whole numbers are exact.
    EXPECT_NEAR(computed().at(id)(), std::strtod(number.c_str(), nullptr),
                0.5 * std::pow(10.0, -digits) + 1e-9)
        << id << " " << number;
    ++note_counts[id];
  }
  for (const auto& [id, value] : computed())
    EXPECT_EQ(note_counts[id], 1) << id << " must occur once in the page";
}

}  // namespace
}  // namespace phasor::test
