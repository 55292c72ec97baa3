/* The run: tables, sampled parts, record, step, guard. Everything above this line is generated. */

GEROTOR_WORLD

typedef int (*Function)(const double **, double **, casadi_int *, double *, int);

typedef struct { Function f; int d, w; } PartEntry;
typedef struct { int w, width; } TableEntry;

GEROTOR_ENTRIES

/* Is sample k a multiple of `every`? In 32 bits where it fits: a long division takes as long as 20 products. */
static inline int due(integer k, integer every) {
  return (unsigned long long)k >> 31 ? k % every == 0 : (unsigned)k % (unsigned)every == 0;
}

/* Tables (where `first` is 0), then the parts first .. last-1. */
static void sample(World *s, int first, int last, const double **arg, double **res, casadi_int *iw, double *wk) {
  double t = s->t0 + (double)s->k * s->h;
  for (int i = 0; first == 0 && i < N_TABLES; ++i) {
    if (!due(s->k, s->table_every[i])) continue;
    integer row = s->k / s->table_every[i];
    if (row >= s->table_rows[i]) row = s->table_rows[i] - 1;
    const double *from = s->table[i] + row * tables[i].width;
    __builtin_memcpy(s->w + tables[i].w, from, tables[i].width * sizeof(double));
  }
  for (int i = first; i < last; ++i) {
    if (!parts[i].f || !due(s->k, s->part_every[i])) continue;
    double d_next[N_D + 1], w_next[N_W + 1];
    arg[0] = s->d + parts[i].d; arg[1] = s->x; arg[2] = s->w; arg[3] = s->p; arg[4] = &t;
    res[0] = d_next; res[1] = w_next;
    parts[i].f(arg, res, iw, wk, 0);
    for (int j = 0; j < part_sizes[i].d; ++j) s->d[parts[i].d + j] = d_next[j];
    for (int j = 0; j < part_sizes[i].w; ++j) s->w[parts[i].w + j] = w_next[j];
  }
}

static void write_row(World *s, double t, const double **arg, double **res, casadi_int *iw, double *wk) {
  double y[N_Y + 1];
  arg[0] = s->x; arg[1] = s->w; arg[2] = s->p; arg[3] = &t;
  res[0] = y;
  gerotor_outputs(arg, res, iw, wk, 0);
  double *row = s->record + s->rows * (s->record_count + 1);
  row[0] = t;
  for (integer j = 0; j < s->record_count; ++j) {
    integer i = s->record_index[j];
    row[j + 1] = i < N_X ? s->x[i] : i < N_X + N_W ? s->w[i - N_X] : y[i - N_X - N_W];
  }
  ++s->rows;
}

/* One evaluation of the method: x, m at t to x_next, m_next at t + h. Its largest error, in allowed errors. */
static double attempt(World *s, const double *x, const double *m, double t, double h, double *x_next, double *m_next,
                      double *e, const double **arg, double **res, casadi_int *iw, double *wk) {
  double worst = 0;
  int wrong = 0;
  arg[0] = x; arg[1] = m; arg[2] = s->w; arg[3] = s->p; arg[4] = &t; arg[5] = &h;
  res[0] = x_next; res[1] = m_next; res[2] = e;
  if (s->k < WARMUP) WARM(arg, res, iw, wk, 0); else gerotor_step(arg, res, iw, wk, 0);
  ++s->calls;
  for (int j = 0; j < N_X; ++j) {
    e[j] = __builtin_fabs(e[j]) * s->weight[j];
    worst = e[j] > worst ? e[j] : worst;
    wrong |= !(e[j] <= 1e300) | !(__builtin_fabs(x_next[j]) <= 1e300);
  }
  return wrong ? 1e300 : worst;
}

/* One step, in parts of h / PARTS and more where its error is above the allowed one: a part whose error is too large
   is halved (the error goes with its square), one after a small error doubled. At most CALLS evaluations: then what
   is left is one part. Returns whether all errors were allowed. */
static int advance(World *s, double *x_next, double *m_next, const double **arg, double **res, casadi_int *iw, double *wk) {
  double t = s->t0 + (double)s->k * s->h, x[N_X + 1], m[N_M + 1], e[N_X + 1], x_now[N_X + 1], m_now[N_M + 1];
  integer before = s->calls;
  int at = 0, size = PARTS, good = 1;
  const double *from = s->x, *memory = s->m;
  while (at < PARTS) {
    double part = s->h / PARTS;
    double worst = attempt(s, from, memory, t + at * part, size * part, x, m, e, arg, res, iw, wk);
    int last = s->calls - before >= CALLS;
    if (worst > 1 && DIVISIBLE && size > 1 && !last) {
      for (double w = worst; w > 1 && size > 1; w /= 4) size /= 2;
      continue;
    }
    good &= worst <= 1;
    at += size;
    for (int j = 0; j < N_X; ++j) {
      if (e[j] > s->error[j]) s->error[j] = e[j];
      x_now[j] = x[j];
    }
    for (int j = 0; j < N_M; ++j) m_now[j] = m[j];
    from = x_now; memory = m_now;
    if (last) size = PARTS - at;
    else if (worst < 0.1 && at % (2 * size) == 0 && at + 2 * size <= PARTS) size *= 2;
  }
  for (int j = 0; j < N_X; ++j) x_next[j] = x_now[j];
  for (int j = 0; j < N_M; ++j) m_next[j] = m_now[j];
  integer used = s->calls - before;
  s->repeated += used > 1;
  if (used > s->calls_most) s->calls_most = used;
  if (good) { s->failed_row = 0; return 1; }
  if (!s->failed++) s->error_time = t;
  return ++s->failed_row <= s->failed_most || !s->failed_most || !DIVISIBLE;
}

/* How many numbers m holds, for whoever loads this library without having written it. */
const int gerotor_memory = N_M;

/* Runs n steps. 0: done. 1: a state is not finite or out of range, `bad` says which; it keeps its last good
   values. 2: the record is full. 3: more steps in a row failed than may. */
int gerotor_run(World *s, integer n) {
  const double *arg[SZ_ARG]; double *res[SZ_RES]; casadi_int iw[SZ_IW]; double wk[SZ_W];
  double x_next[N_X + 1], m_next[N_M + 1];
  for (integer i = 0; i < n; ++i) {
    double t = s->t0 + (double)s->k * s->h;
    if (s->sampled != s->k) sample(s, 0, N_PARTS, arg, res, iw, wk);
    for (int j = 0; s->safe && j < N_W; ++j) if (s->safe[j] == s->safe[j]) s->w[j] = s->safe[j];
    if (s->k == 0) START(s->x, s->w, s->p, &t, s->m);
    if (s->record_every && due(s->k, s->record_every)) {
      if (s->rows >= s->rows_max) return 2;
      write_row(s, t, arg, res, iw, wk);
    }
    int right = advance(s, x_next, m_next, arg, res, iw, wk), outside = 0;
    for (int j = 0; j < N_X; ++j) outside |= !(x_next[j] >= s->lower[j] && x_next[j] <= s->upper[j]);
    if (outside) {
      for (int j = 0; j < N_X; ++j)
        if (!(x_next[j] >= s->lower[j] && x_next[j] <= s->upper[j])) { s->bad = j; break; }
      s->x[s->bad] = x_next[s->bad];
      return 1;
    }
    for (int j = 0; j < N_X; ++j) s->x[j] = x_next[j];
    for (int j = 0; j < N_M; ++j) s->m[j] = m_next[j];
    ++s->k;
    if (!right) return 3;
  }
  return 0;
}

/* The samples due at the present step, between those of parts that run elsewhere. */
void gerotor_sample(World *s, int first, int last) {
  const double *arg[SZ_ARG]; double *res[SZ_RES]; casadi_int iw[SZ_IW]; double wk[SZ_W];
  sample(s, first, last, arg, res, iw, wk);
}

/* One row of the present state, as at the end of a run. */
void gerotor_record(World *s) {
  const double *arg[SZ_ARG]; double *res[SZ_RES]; casadi_int iw[SZ_IW]; double wk[SZ_W];
  if (s->rows < s->rows_max) write_row(s, s->t0 + (double)s->k * s->h, arg, res, iw, wk);
}
