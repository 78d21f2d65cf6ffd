#include <algorithm>
#include <cmath>

#include "analysis/tables.h"
#include "math/symmetric_eigen.h"
#include "phasor/analysis.h"

namespace phasor {

Result<PrincipalComponents> principal_components(const Tensor& table, int components) {
  return Result<PrincipalComponents>::from([&](PrincipalComponents& out) -> Status {
    PHASOR_TRY(check_table(table));
    const int rows = table.shape[0], width = table.shape[1];
    PHASOR_TRY(check_range("width", width, 1, 1024));
    PHASOR_TRY(check_range("components", components, 1, width));
    PHASOR_TRY(check_size("table", "principal components", {rows, components}));
    PHASOR_TRY(check_room("table", bytes_of({rows, components}) + directions_bytes(rows, width)));
    const CentredRows centred = centred_rows(table, 1);
    SymmetricEigen solved = symmetric_eigen(gram(centred.values, width), width);
    double total = 0;
    for (double& value : solved.values) total += value = std::max(value, 0.0);
    out = {.coordinates = Tensor({rows, components}),
           .explained_variance_ratio = Tensor({components})};
    for (int k = 0; k < components; ++k) {
      const auto largest = std::max_element(solved.values.begin(), solved.values.end());
      const std::span<const double> direction =
          solved.vector(static_cast<int>(largest - solved.values.begin()));
      const double longest =
          *std::max_element(direction.begin(), direction.end(),
                            [](double a, double b) { return std::fabs(a) < std::fabs(b); });
      const double sign = longest < 0 ? -1 : 1;
      for (int r = 0; r < rows; ++r)
        matrix(out.coordinates).row(r)[k] =
            static_cast<float>(sign * dot(centred.row(r), direction));
      out.explained_variance_ratio.data[static_cast<std::size_t>(k)] =
          total > 0 ? static_cast<float>(*largest / total) : 0.0f;
      *largest = -1;  // taken
    }
    PHASOR_TRY(check_result("table", out.coordinates.data, "a principal component"));
    return check_result("table", out.explained_variance_ratio.data, "an explained share");
  });
}

}  // namespace phasor
