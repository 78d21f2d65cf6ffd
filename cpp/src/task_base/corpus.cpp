#include "task_base/corpus.h"

#include <algorithm>
#include <cmath>

#include "core/format_error.h"

namespace phasor {

namespace {

bool is_space(char32_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Decodes UTF-8. ASCII letters become lower-case, and each run of white space becomes one space.
// Returns the index of the first invalid byte, or -1 if all bytes are valid.
std::ptrdiff_t decode_utf8(std::string_view text, std::vector<char32_t>& out) {
  std::size_t i = 0;
  if (text.starts_with("\xEF\xBB\xBF")) i = 3;  // skips the byte order mark
  while (i < text.size()) {
    const auto byte_at = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned lead = byte_at(i);
    const std::size_t size = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4 || i + size > text.size())
      return static_cast<std::ptrdiff_t>(i);
    char32_t symbol = size == 1 ? lead : lead & (0xFFu >> (size + 1));
    for (std::size_t n = 1; n < size; ++n) {
      if ((byte_at(i + n) & 0xC0u) != 0x80u) return static_cast<std::ptrdiff_t>(i);
      symbol = (symbol << 6) | (byte_at(i + n) & 0x3Fu);
    }
    i += size;
    if (symbol >= 'A' && symbol <= 'Z') symbol += 'a' - 'A';
    if (is_space(symbol)) symbol = ' ';
    if (symbol == ' ' && !out.empty() && out.back() == ' ') continue;
    out.push_back(symbol);
  }
  return -1;
}

Status decode_utf8(const char* name, std::string_view text, std::vector<char32_t>& out) {
  PHASOR_TRY(check_memory(name, 9.0 * static_cast<double>(text.size())));
  const std::ptrdiff_t invalid_byte = decode_utf8(text, out);
  if (invalid_byte < 0) return {};
  return invalid("{}: byte {} is not valid UTF-8", name, detail(invalid_byte));
}

}  // namespace

Status Corpus::read(std::string_view text, int min_test_size, Corpus& out) {
  std::vector<char32_t> characters;
  PHASOR_TRY(decode_utf8("corpus", text, characters));
  if (characters.empty()) return invalid("corpus: is empty");
  const std::size_t test_size = characters.size() / 20;
  if (test_size < static_cast<std::size_t>(min_test_size)) {
    return invalid(
        "corpus: {} symbols are too few; expected at least {}, because a twentieth of the text is "
        "held out",
        detail(characters.size()), 20 * min_test_size);
  }
  std::vector<char32_t> alphabet = characters;
  std::sort(alphabet.begin(), alphabet.end());
  alphabet.erase(std::unique(alphabet.begin(), alphabet.end()), alphabet.end());
  if (alphabet.size() > static_cast<std::size_t>(kMaxSymbols)) {
    return invalid("corpus: has {} distinct symbols; expected at most {}", alphabet.size(),
                   kMaxSymbols);
  }
  out.alphabet_ = std::move(alphabet);
  std::vector<int> tokens(characters.size());
  std::transform(characters.begin(), characters.end(), tokens.begin(), [&](char32_t c) {
    return static_cast<int>(std::lower_bound(out.alphabet_.begin(), out.alphabet_.end(), c) -
                            out.alphabet_.begin());
  });
  const auto test_begin = tokens.end() - static_cast<std::ptrdiff_t>(test_size);
  out.training_tokens_.assign(tokens.begin(), test_begin);
  out.test_tokens_.assign(test_begin, tokens.end());
  return {};
}

Result<std::vector<int>> Corpus::tokenize(std::string_view text) const {
  return Result<std::vector<int>>::from([&](std::vector<int>& out) -> Status {
    std::vector<char32_t> characters;
    PHASOR_TRY(decode_utf8("text", text, characters));
    for (std::size_t i = 0; i < characters.size(); ++i) {
      const auto match = std::lower_bound(alphabet_.begin(), alphabet_.end(), characters[i]);
      if (match == alphabet_.end() || *match != characters[i])
        return invalid("text: the symbol at index {} does not occur in the corpus", i);
      out.push_back(static_cast<int>(match - alphabet_.begin()));
    }
    return {};
  });
}

void Corpus::sample_window(Generator& random, int count, int* to) const {
  const int first = random.uniform_integer(static_cast<int>(training_tokens_.size()) - count + 1);
  std::copy_n(training_tokens_.begin() + first, count, to);
}

void Corpus::sample_test_window(Generator& random, int count, int* to) const {
  const int size = static_cast<int>(test_tokens_.size()), min_end = std::min(size, kMaxContext);
  const int end = min_end + random.uniform_integer(size - min_end + 1);
  std::copy_n(test_tokens_.begin() + (end - count), count, to);
}

Status Corpus::check_length(int length) const {
  const int max_length = std::min(static_cast<int>(test_tokens_.size()), kMaxContext) - 1;
  if (length <= max_length) return {};
  return invalid("length: {} exceeds {}, the maximum for the held-out part of the corpus", length,
                 max_length);
}

double Corpus::unigram_nats() const {
  std::vector<double> counts(alphabet_.size(), 1.0);
  for (const int token : training_tokens_) counts[static_cast<std::size_t>(token)] += 1;
  const double total = static_cast<double>(training_tokens_.size() + counts.size());
  double total_nats = 0;
  for (const int token : test_tokens_)
    total_nats -= std::log(counts[static_cast<std::size_t>(token)] / total);
  return total_nats / static_cast<double>(test_tokens_.size());
}

}  // namespace phasor
