/* Steps a world against the wall clock. Tick k is released at r(k), its deadline is r(k) + period. */

static integer monotonic(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (integer)t.tv_sec * 1000000000 + t.tv_nsec;
}

static integer now(const Paced *s) { return s->clock ? s->clock() : monotonic(); }

static void sleep_until(const Paced *s, integer until) {
  if (s->sleep) { s->sleep(until); return; }
  integer early = until - s->spin;
  if (early > monotonic()) {
#ifdef __linux__
    struct timespec t = {early / 1000000000, early % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, 0) == EINTR) {}
#else
    integer left = early - monotonic();
    struct timespec t = {left / 1000000000, left % 1000000000};
    if (left > 0) nanosleep(&t, 0);
#endif
  }
  while (monotonic() < until) {}
}

static void claim_rights(Paced *s) {
#ifdef __linux__
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  struct sched_param priority = {.sched_priority = (int)s->fifo};
  if (s->fifo && pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority)) s->refused_rights |= 1;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (s->cpu >= 0 && s->cpu < CPU_SETSIZE) CPU_SET(s->cpu, &set);
  if (s->cpu >= 0 && pthread_setaffinity_np(pthread_self(), sizeof set, &set)) s->refused_rights |= 4;
#else
  s->refused_rights |= (s->fifo ? 1 : 0) | (s->cpu >= 0 ? 4 : 0);
#endif
  if (s->lock && mlockall(MCL_CURRENT | MCL_FUTURE)) s->refused_rights |= 2;
}

static int bin(integer value) {
  if (value < 16) return value < 0 ? 0 : (int)value;
  int octave = 63 - __builtin_clzll((unsigned long long)value);
  int index = (octave - 3) * 16 + (int)((value >> (octave - 4)) & 15);
  return index < BINS ? index : BINS - 1;
}

static void note(Ledger *l, integer lateness, integer compute) {
  ++l->ticks;
  ++l->lateness[bin(lateness)];
  ++l->compute[bin(compute)];
  l->compute_sum += compute;
  if (lateness > l->worst_lateness) l->worst_lateness = lateness;
  if (compute > l->worst_compute) l->worst_compute = compute;
}

/* Inputs: a sequence lock. The loop never waits: where a writer is under way it keeps what it has until the next tick. */
static void take_inputs(Paced *s, integer time) {
  integer before = __atomic_load_n(&s->inbox_sequence, __ATOMIC_ACQUIRE);
  if (before == s->inbox_taken || before % 2) return;
  double copy[s->inputs + 1];
  for (integer i = 0; i < s->inputs; ++i) __atomic_load(&s->inbox[i], &copy[i], __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (__atomic_load_n(&s->inbox_sequence, __ATOMIC_RELAXED) != before) return;
  for (integer i = 0; i < s->inputs; ++i) *s->target[i] = copy[i];
  s->inbox_taken = before;
  s->input_time = time;
}

/* Held signals go to their safe values in a straight line over stop_time. */
static void force(Paced *s, int stop) {
  World *world = s->world;
  double time = world->t0 + (double)world->k * world->h;
  if (!stop) { world->safe = 0; s->onset = NAN; return; }
  if (isnan(s->onset)) {
    s->onset = time;
    memcpy(s->from, world->w, s->held * sizeof(double));
  }
  double left = s->stop_time > 0 ? 1 - (time - s->onset) / s->stop_time : 0;
  for (integer i = 0; i < s->held; ++i) s->forced[i] = s->safe[i] + (left > 0 ? left * (s->from[i] - s->safe[i]) : 0);
  world->safe = s->forced;
}

/* Silence: hold, then safe stop. A safe stop and an emergency stop stay until released. */
static void watch(Paced *s, integer time) {
  if (__atomic_exchange_n(&s->fresh, 0, __ATOMIC_ACQ_REL)) { s->input_state = LIVE; s->input_time = time; }
  integer silent = time - s->input_time;
  if (s->input_state != SAFE) {
    s->input_state = s->hold_after && silent > s->hold_after ? HOLD : LIVE;
    if (s->hold_after && silent > s->hold_after + s->safe_after) s->input_state = SAFE;
  }
  if (s->world) force(s, s->input_state == SAFE || __atomic_load_n(&s->emergency, __ATOMIC_ACQUIRE));
}

static void push_rows(Paced *s) {
  World *world = s->world;
  integer head = s->head;
  for (integer i = 0; i < world->rows; ++i) {
    if (head - __atomic_load_n(&s->tail, __ATOMIC_ACQUIRE) >= s->ring_rows) { s->rows_lost += world->rows - i; break; }
    memcpy(s->ring + head % s->ring_rows * s->row_width, world->record + i * s->row_width, s->row_width * sizeof(double));
    __atomic_store_n(&s->head, ++head, __ATOMIC_RELEASE);
  }
  world->rows = 0;
}

static int advance(Paced *s, integer n) {
  int status = 0;
  while (n > 0 && !status && s->run) {
    integer part = n < CHUNK ? n : CHUNK;
    status = s->run(s->world, part);
    s->ledger.steps += part;
    n -= part;
    push_rows(s);
  }
  return status;
}

/* The release after a tick that ended at `end`. */
static integer next_release(Paced *s, integer release, integer end) {
  Ledger *l = &s->ledger;
  integer late = end - release - s->period;
  if (late <= 0) { l->burst = 0; return release + s->period; }
  ++l->missed;
  if (++l->burst > l->longest_burst) l->longest_burst = l->burst;
  integer lost = 0;
  switch (__atomic_load_n(&s->policy, __ATOMIC_RELAXED)) {
    case CATCH_UP:
      if (late > s->backlog) lost = (late - s->backlog + s->period - 1) / s->period;
      ++l->caught_up;
      break;
    case SKIP:
      lost = (late + s->period - 1) / s->period;
      break;
    case STRETCH:
      l->slip += late;
      return end;
    default:
      s->state = MISSED;
  }
  l->skipped += lost;
  l->slip += lost * s->period;
  return release + (lost + 1) * s->period;
}

void paced_loop(Paced *s) {
  claim_rights(s);
  s->state = RUNNING;
  s->input_time = now(s);
  integer release = s->input_time + s->period;
  while (s->state == RUNNING || s->state == PAUSED) {
    if (__atomic_load_n(&s->stop, __ATOMIC_ACQUIRE) || (s->ticks_max && s->ledger.ticks >= s->ticks_max)) break;
    sleep_until(s, release);
    integer start = now(s);
    take_inputs(s, start);
    link_receive(s, start);
    watch(s, start);
    int status;
    if (__atomic_load_n(&s->pause, __ATOMIC_ACQUIRE)) {
      s->state = PAUSED;
      status = advance(s, __atomic_exchange_n(&s->single, 0, __ATOMIC_ACQ_REL));
      link_send(s);
      release = now(s) + s->period;
    } else {
      double scale;
      __atomic_load(&s->scale, &scale, __ATOMIC_RELAXED);
      s->state = RUNNING;
      s->debt += s->steps_per_tick * scale;
      integer n = (integer)(s->debt + 1e-9);
      s->debt -= (double)n;
      status = advance(s, n);
      link_send(s);
      integer end = now(s);
      note(&s->ledger, start - release, end - start);
      release = next_release(s, release, end);
    }
    if (status) s->state = OUT_OF_RANGE;
  }
  if (s->state == RUNNING || s->state == PAUSED) s->state = STOPPED;
}

void paced_inputs(Paced *s, const double *values) {
  __atomic_fetch_add(&s->inbox_sequence, 1, __ATOMIC_ACQ_REL);
  for (integer i = 0; i < s->inputs; ++i) __atomic_store(&s->inbox[i], (double *)&values[i], __ATOMIC_RELAXED);
  __atomic_fetch_add(&s->inbox_sequence, 1, __ATOMIC_RELEASE);
}

integer paced_drain(Paced *s, double *rows, integer most) {
  integer n = __atomic_load_n(&s->head, __ATOMIC_ACQUIRE) - s->tail;
  if (n > most) n = most;
  for (integer i = 0; i < n; ++i)
    memcpy(rows + i * s->row_width, s->ring + (s->tail + i) % s->ring_rows * s->row_width, s->row_width * sizeof(double));
  __atomic_store_n(&s->tail, s->tail + n, __ATOMIC_RELEASE);
  return n;
}

integer paced_size(void) { return sizeof(Paced); }
