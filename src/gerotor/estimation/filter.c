/* A Kalman filter over many samples, its covariance held as P = U D U' (U unit upper triangular, D diagonal).
   Time update: modified weighted Gram-Schmidt of the columns [f_z U, g] (Thornton). Measurement update: one
   scalar after the other (Bierman). D never becomes negative, so P cannot lose its positive definiteness.
   Source: [bierman1977, ch. V and VI]. Everything above this line is generated. */

#include <math.h>

typedef long long integer;

typedef struct {
  integer rows;                     /* samples given */
  const double *t, *u, *o;          /* time, inputs, measured (NaN: missing), one row a sample */
  double *x, *p, *held;             /* states, parameters, inputs of the sample before */
  double *U, *D;
  const double *g, *q, *r;          /* noise columns (row by row), their variances, sensor variances */
  const double *lower, *upper;      /* of the unknowns */
  double *mean, *std, *innovation, *innovation_std, *nis;
  double *slope, *prior, *prior_cov, *posterior_cov; /* 0, or kept for smoothing */
  double last;                      /* time of the sample before */
  integer begun;                    /* 0: the first sample is only an update */
  integer frozen;                   /* 1: covariance as if measured, mean by the model alone */
  integer unscented;
  double kappa;
  integer iterations;               /* of the measurement update, extended */
} Filter;

#define W_MAX (2 * N_Z + 1 + N_G + 1)

static const int state_index[] = STATE_INDEX, parameter_index[] = PARAMETER_INDEX;

static void spread(const double *z, double *x, double *p) {
  for (int i = 0; i < N_S; ++i) x[state_index[i]] = z[i];
  for (int i = N_S; i < N_Z; ++i) p[parameter_index[i - N_S]] = z[i];
}

static void gather(const double *x, const double *p, double *z) {
  for (int i = 0; i < N_S; ++i) z[i] = x[state_index[i]];
  for (int i = N_S; i < N_Z; ++i) z[i] = p[parameter_index[i - N_S]];
}

/* U, D of W diag(d) W', W of so many rows and n columns. */
static void orthogonalise(double W[N_Z][W_MAX], int rows, const double *d, int n, double *U, double *D) {
  for (int i = rows - 1; i >= 0; --i) {
    double v[W_MAX], total = 0;
    for (int k = 0; k < n; ++k) { v[k] = d[k] * W[i][k]; total += v[k] * W[i][k]; }
    D[i] = total;
    for (int j = 0; j < i; ++j) {
      double s = 0;
      for (int k = 0; k < n; ++k) s += W[j][k] * v[k];
      s = total > 0 ? s / total : 0;
      U[j * N_Z + i] = s;
      if (s != 0) for (int k = 0; k < n; ++k) W[j][k] -= s * W[i][k];
    }
  }
}

static void covariance(const double *U, const double *D, double *P) {
  for (int i = 0; i < N_Z; ++i)
    for (int j = i; j < N_Z; ++j) {
      double s = 0;
      for (int k = j; k < N_Z; ++k) s += (k == i ? 1 : U[i * N_Z + k]) * D[k] * (k == j ? 1 : U[j * N_Z + k]);
      P[i * N_Z + j] = P[j * N_Z + i] = s;
    }
}

/* One scalar: f = U' h', innovation variance returned, z moved by gain times `innovation`. */
static double update(double *U, double *D, const double *f, double r, double innovation, double *z) {
  double b[N_Z], alpha = r;
  for (int j = 0; j < N_Z; ++j) {
    double beta = alpha, g = D[j] * f[j];
    alpha += f[j] * g;
    double lambda = beta > 0 ? -f[j] / beta : 0;
    D[j] *= alpha > 0 ? beta / alpha : 1;
    b[j] = g;
    for (int i = 0; i < j; ++i) {
      double u = U[i * N_Z + j];
      U[i * N_Z + j] = u + b[i] * lambda;
      b[i] += u * g;
    }
  }
  for (int i = 0; i < N_Z; ++i) z[i] += b[i] / alpha * innovation;
  return alpha;
}

static void append_noise(const Filter *s, double W[N_Z][W_MAX], double *d, int n) {
  for (int k = 0; k < N_G; ++k) {
    d[n + k] = s->q[k];
    for (int i = 0; i < N_Z; ++i) W[i][n + k] = s->g[i * N_G + k];
  }
}

/* Constant parameters, the last N_Z - N_H unknowns, keep their columns' D and lower part: only the rows of the
   states and wandering parameters, and only the columns of these and of the noise, are orthogonalised. */
static void predict_extended(Filter *s, double *slope, const double **arg, double **res, casadi_int *iw, double *wk) {
  static const int n = N_Z;
  double W[N_Z][W_MAX], d[W_MAX], A[N_S * N_S + 1], B[N_S * (N_Z - N_S) + 1], next[N_X];
  arg[0] = s->x; arg[1] = s->held; arg[2] = s->p; arg[3] = &s->last;
  res[0] = next; res[1] = A; res[2] = B;
  filter_predict(arg, res, iw, wk, 0);
  for (int j = 0; j < N_H; ++j) d[j] = s->D[j];
  for (int i = N_S; i < N_H; ++i)
    for (int j = 0; j < n; ++j) W[i][j] = j < i ? 0 : j == i ? 1 : s->U[i * n + j];
  for (int i = 0; i < N_S; ++i) {
    double row[N_Z];
    for (int k = 0; k < N_S; ++k) row[k] = A[k * N_S + i];
    for (int k = N_S; k < n; ++k) row[k] = B[(k - N_S) * N_S + i];
    if (slope) for (int k = 0; k < n; ++k) slope[i * n + k] = row[k];
    for (int j = 0; j < n; ++j) W[i][j] = row[j];
    for (int k = 0; k < n; ++k) {
      double a = row[k];
      for (int j = k + 1; j < n; ++j) W[i][j] += a * s->U[k * n + j];
    }
  }
  if (slope) for (int i = N_S; i < n; ++i) for (int k = 0; k < n; ++k) slope[i * n + k] = i == k;
  for (int i = 0; i < N_H; ++i)
    for (int j = N_H; j < n; ++j) s->U[i * n + j] = W[i][j];
  append_noise(s, W, d, N_H);
  orthogonalise(W, N_H, d, N_H + N_G, s->U, s->D);
  for (int i = 0; i < N_X; ++i) s->x[i] = next[i];
}

/* Offsets of the sigma points: column k of U sqrt(D), both signs. */
static void sigma(const Filter *s, int k, double size, const double *centre, double *z) {
  double a = size * sqrt(s->D[k]);
  for (int i = 0; i < N_Z; ++i) z[i] = centre[i] + (i < k ? a * s->U[i * N_Z + k] : i == k ? a : 0);
}

static void predict_unscented(Filter *s, const double **arg, double **res, casadi_int *iw, double *wk) {
  static const int points = 2 * N_Z + 1;
  double W[N_Z][W_MAX], d[W_MAX], z[N_Z], centre[N_Z], mean[N_Z], x[N_X], p[N_P + 1], next[N_X], middle[N_X];
  double width = sqrt(N_Z + s->kappa);
  gather(s->x, s->p, centre);
  for (int i = 0; i < N_Z; ++i) mean[i] = 0;
  for (int k = 0; k < points; ++k) {
    for (int i = 0; i < N_X; ++i) x[i] = s->x[i];
    for (int i = 0; i < N_P; ++i) p[i] = s->p[i];
    if (k) sigma(s, (k - 1) / 2, k % 2 ? width : -width, centre, z);
    else for (int i = 0; i < N_Z; ++i) z[i] = centre[i];
    spread(z, x, p);
    arg[0] = x; arg[1] = s->held; arg[2] = p; arg[3] = &s->last;
    res[0] = next;
    filter_advance(arg, res, iw, wk, 0);
    if (!k) for (int i = 0; i < N_X; ++i) middle[i] = next[i];
    gather(next, p, z);
    d[k] = k ? 0.5 / (N_Z + s->kappa) : s->kappa / (N_Z + s->kappa);
    for (int i = 0; i < N_Z; ++i) { W[i][k] = z[i]; mean[i] += d[k] * z[i]; }
  }
  for (int i = 0; i < N_Z; ++i) for (int k = 0; k < points; ++k) W[i][k] -= mean[i];
  append_noise(s, W, d, points);
  orthogonalise(W, N_Z, d, points + N_G, s->U, s->D);
  for (int i = 0; i < N_X; ++i) s->x[i] = middle[i];
  spread(mean, s->x, s->p);
}

static void measure(const Filter *s, const double *x, const double *p, const double *u, double t, double *o, double *H,
                    const double **arg, double **res, casadi_int *iw, double *wk) {
  arg[0] = x; arg[1] = u; arg[2] = p; arg[3] = &t;
  res[0] = o; res[1] = H;
  filter_measure(arg, res, iw, wk, 0);
}

/* Expected signals of row k and their slopes at z. */
static void expect(const Filter *s, integer k, const double *z, double *o, double *H,
                   const double **arg, double **res, casadi_int *iw, double *wk) {
  double x[N_X], p[N_P + 1];
  for (int i = 0; i < N_X; ++i) x[i] = s->x[i];
  for (int i = 0; i < N_P; ++i) p[i] = s->p[i];
  spread(z, x, p);
  measure(s, x, p, s->u + k * N_U, s->t[k], o, H, arg, res, iw, wk);
}

/* f = U' h' of signal m. */
static void through(const double *U, const double *H, int m, double *f) {
  for (int j = 0; j < N_Z; ++j) {
    f[j] = H[j * N_O + m];
    for (int i = 0; i < j; ++i) f[j] += U[i * N_Z + j] * H[i * N_O + m];
  }
}

/* All signals of row k; from the second iteration on the slopes are those at the estimate just found
   (Gauss-Newton), the start is again `before` with its covariance. Returns the normalised innovation squared. */
static double correct_extended(Filter *s, integer k, const double *before, double *z, double *o, double *H,
                               const double **arg, double **res, casadi_int *iw, double *wk) {
  const double *given = s->o + k * N_O;
  double U[N_Z * N_Z], D[N_Z], f[N_Z], nis = 0;
  for (int i = 0; i < N_Z * N_Z; ++i) U[i] = s->U[i];
  for (int i = 0; i < N_Z; ++i) D[i] = s->D[i];
  for (integer n = 0; n < s->iterations; ++n) {
    double centre[N_Z];
    for (int i = 0; i < N_Z; ++i) { centre[i] = z[i]; z[i] = before[i]; }
    if (n) {
      expect(s, k, centre, o, H, arg, res, iw, wk);
      for (int i = 0; i < N_Z * N_Z; ++i) s->U[i] = U[i];
      for (int i = 0; i < N_Z; ++i) s->D[i] = D[i];
    }
    nis = 0;
    for (int m = 0; m < N_O; ++m) {
      if (isnan(given[m])) continue;
      double innovation = given[m] - o[m], still[N_Z] = {0};
      for (int j = 0; j < N_Z; ++j) innovation -= H[j * N_O + m] * (z[j] - centre[j]);
      through(s->U, H, m, f);
      double variance = update(s->U, s->D, f, s->r[m], innovation, s->frozen ? still : z);
      nis += innovation * innovation / variance;
    }
  }
  return nis;
}

/* One signal after the other, each from sigma points around the estimate so far. */
static double correct_unscented(Filter *s, integer k, double *z, double *y, double *unused,
                                const double **arg, double **res, casadi_int *iw, double *wk) {
  const double *given = s->o + k * N_O;
  double point[N_Z], f[N_Z], value[2 * N_Z + 1], nis = 0;
  double size = sqrt(N_Z + s->kappa), weight = 0.5 / (N_Z + s->kappa), own = s->kappa / (N_Z + s->kappa);
  for (int m = 0; m < N_O; ++m) {
    if (isnan(given[m])) continue;
    expect(s, k, z, y, unused, arg, res, iw, wk);
    double middle = y[m], mean = own * middle;
    for (int j = 0; j < 2 * N_Z; ++j) {
      sigma(s, j / 2, j % 2 ? -size : size, z, point);
      expect(s, k, point, y, unused, arg, res, iw, wk);
      value[j] = y[m];
      mean += weight * y[m];
    }
    double variance = own * (middle - mean) * (middle - mean), linear = 0, still[N_Z] = {0}, innovation = given[m] - mean;
    for (int j = 0; j < N_Z; ++j) {
      double a = value[2 * j] - mean, b = value[2 * j + 1] - mean;
      variance += weight * (a * a + b * b);
      f[j] = s->D[j] > 0 ? (a - b) / (2 * size * sqrt(s->D[j])) : 0;
      linear += f[j] * f[j] * s->D[j];
    }
    double r = s->r[m] + (variance > linear ? variance - linear : 0);
    variance = update(s->U, s->D, f, r, innovation, s->frozen ? still : z);
    nis += innovation * innovation / variance;
  }
  return nis;
}

/* Takes in row k; returns the normalised innovation squared. */
static double correct(Filter *s, integer k, const double **arg, double **res, casadi_int *iw, double *wk) {
  double o[N_O], H[N_O * N_Z], before[N_Z], z[N_Z], f[N_Z];
  measure(s, s->x, s->p, s->u + k * N_U, s->t[k], o, H, arg, res, iw, wk);
  gather(s->x, s->p, before);
  for (int m = 0; m < N_O; ++m) {
    double total = s->r[m];
    through(s->U, H, m, f);
    for (int j = 0; j < N_Z; ++j) total += f[j] * f[j] * s->D[j];
    s->innovation[k * N_O + m] = s->o[k * N_O + m] - o[m];
    s->innovation_std[k * N_O + m] = sqrt(total);
  }
  for (int i = 0; i < N_Z; ++i) z[i] = before[i];
  double nis = s->unscented ? correct_unscented(s, k, z, o, H, arg, res, iw, wk)
                            : correct_extended(s, k, before, z, o, H, arg, res, iw, wk);
  for (int i = 0; i < N_Z; ++i) {
    if (z[i] < s->lower[i]) z[i] = s->lower[i];
    if (z[i] > s->upper[i]) z[i] = s->upper[i];
  }
  if (!s->frozen) spread(z, s->x, s->p);
  return nis;
}

/* Returns the number of samples taken in; fewer than `rows` if the estimate is no longer finite. */
integer gerotor_filter(Filter *s) {
  const double *arg[SZ_ARG]; double *res[SZ_RES]; casadi_int iw[SZ_IW]; double wk[SZ_W];
  for (integer k = 0; k < s->rows; ++k) {
    if (s->begun) {
      if (s->unscented) predict_unscented(s, arg, res, iw, wk);
      else predict_extended(s, s->slope ? s->slope + k * N_Z * N_Z : 0, arg, res, iw, wk);
    }
    if (s->prior) {
      gather(s->x, s->p, s->prior + k * N_Z);
      covariance(s->U, s->D, s->prior_cov + k * N_Z * N_Z);
    }
    s->nis[k] = correct(s, k, arg, res, iw, wk);
    if (s->prior) covariance(s->U, s->D, s->posterior_cov + k * N_Z * N_Z);
    double *mean = s->mean + k * N_Z;
    gather(s->x, s->p, mean);
    for (int i = 0; i < N_Z; ++i) {
      double total = s->D[i];
      for (int j = i + 1; j < N_Z; ++j) total += s->U[i * N_Z + j] * s->U[i * N_Z + j] * s->D[j];
      s->std[k * N_Z + i] = sqrt(total);
      if (!isfinite(mean[i]) || !isfinite(total)) return k;
    }
    for (int i = 0; i < N_U; ++i) s->held[i] = s->u[k * N_U + i];
    s->last = s->t[k];
    s->begun = 1;
  }
  return s->rows;
}
