/* Two worlds in two processes that advance together, one packet each way a tick; packets as documented in docs/exchange.md.

   The leader is paced by the clock: at tick k it takes reading k, runs, sends command k. The follower waits for command k,
   runs one tick, sends reading k + 1. Silence: both hold what they have; after `limit` ticks both stop safely. */

enum { EXCHANGE = 3, FAREWELL = 4 };
enum { WAITING, TOGETHER, ENDED, PEER_STOPPED, PEER_LOST, LEFT_RANGE, NO_PEER };

typedef struct {
  int (*run)(World *, integer);
  void (*record)(World *);
  World *world;
  integer socket, leads;              /* connected to the peer; 1: leader */
  integer period, patience;           /* ns of a tick; ns to wait for the peer at the start */
  integer ticks_max, steps;           /* ticks to run; steps of the world a tick */
  integer limit, settle;              /* silent ticks until a safe stop; ticks a stopping follower goes on */
  integer layout_in, layout_out;      /* numbers of the two lists of names */
  integer inputs, outputs;
  double **target;                    /* where each received value goes */
  const double *lower, *upper;        /* kept within */
  const integer *column;              /* where each sent value stands in a recorded row */
  integer freezes;                    /* values taken as commands in a safe stop: */
  double **freeze_target;
  const integer *freeze_column;
  double *fresh;                      /* set each tick: 1 a new value, 0 none, 2 new after a gap; or NULL */
  integer fifo, cpu;                  /* priority or 0; a processor or -1 */
  integer stop;                       /* order: end now */
  integer state, tick, heard;         /* ticks done; newest sequence taken */
  integer received, lost, late, duplicated, malformed, sent, unsent, held, silent, longest_silence;
  Ledger ledger;
} Exchange;

static Paced steady = {.spin = 50000};

static const double *last_row(Exchange *s) {
  World *w = s->world;
  if (w->rows >= w->rows_max) w->rows = w->rows_max - 1;
  s->record(w);
  return w->record + (w->rows - 1) * (w->record_count + 1);
}

static void tell(Exchange *s, int kind, integer sequence) {
  const double *row = last_row(s);
  Packet p = {.header = {{'G', 'E', 'R', 'O'}, VERSION, (uint16_t)kind, (uint32_t)sequence, (uint32_t)s->outputs,
                         (uint64_t)s->layout_out, row[0]}};
  for (integer i = 0; i < s->outputs; ++i) p.values[i] = row[s->column[i]];
  if (send((int)s->socket, &p, sizeof(Header) + s->outputs * sizeof(double), MSG_DONTWAIT) < 0) ++s->unsent; else ++s->sent;
}

/* The next packet that is whole and known, its kind; 0: none waiting. A reading of a later tick is left for its tick. */
static int listen_once(Exchange *s, Packet *p) {
  for (int i = 0; i < 64; ++i) {
    Header ahead;
    ssize_t size = recv((int)s->socket, &ahead, sizeof ahead, MSG_DONTWAIT | MSG_PEEK);
    if (s->leads && size == (ssize_t)sizeof ahead && !memcmp(ahead.magic, "GERO", 4) && ahead.kind == EXCHANGE
        && ahead.sequence > (uint64_t)s->tick && ahead.sequence <= (uint64_t)s->tick + 1000) return 0;
    size = recv((int)s->socket, p, sizeof *p, MSG_DONTWAIT | MSG_TRUNC);
    if (size < 0) return 0;
    const Header *h = &p->header;
    int whole = size >= (ssize_t)sizeof(Header) && !memcmp(h->magic, "GERO", 4) && h->version == VERSION
      && (h->kind == EXCHANGE || h->kind == FAREWELL) && h->count == s->inputs
      && size == (ssize_t)(sizeof(Header) + h->count * sizeof(double)) && h->layout == (uint64_t)s->layout_in
      && h->sequence <= (uint64_t)s->tick + 1000;
    for (integer j = 0; whole && j < s->inputs; ++j) whole = fabs(p->values[j]) < 1e300;
    if (!whole) { ++s->malformed; continue; }
    ++s->received;
    return h->kind;
  }
  return 0;
}

static void take(Exchange *s, const Packet *p) {
  for (integer j = 0; j < s->inputs; ++j) {
    double value = p->values[j] < s->lower[j] ? s->lower[j] : p->values[j];
    *s->target[j] = value > s->upper[j] ? s->upper[j] : value;
  }
  s->heard = p->header.sequence;
}

static void quiet(Exchange *s) {
  ++s->held;
  if (++s->silent > s->longest_silence) s->longest_silence = s->silent;
  if (s->silent > s->limit) s->state = PEER_LOST;
}

static void one_tick(Exchange *s) {
  if (s->run(s->world, s->steps)) s->state = LEFT_RANGE;
  s->ledger.steps += s->steps;
  ++s->tick;
}

static void close_tick(Exchange *s, integer release, integer start) {
  integer end = monotonic();
  note(&s->ledger, start - release, end - start);
  if (end <= release + s->period) { s->ledger.burst = 0; return; }
  ++s->ledger.missed;
  if (++s->ledger.burst > s->ledger.longest_burst) s->ledger.longest_burst = s->ledger.burst;
}

static void lead(Exchange *s) {
  Packet p;
  integer until = monotonic() + s->patience;
  for (;;) {                                                         /* reading 0 says that the follower is there */
    int kind = listen_once(s, &p);
    if (kind == EXCHANGE && p.header.sequence == 0) { take(s, &p); break; }
    if (s->stop || monotonic() > until) { s->state = NO_PEER; return; }
    sleep_until(&steady, monotonic() + 1000000);
  }
  s->state = TOGETHER;
  integer release = monotonic() + s->period;
  for (; s->state == TOGETHER && s->tick < s->ticks_max && !s->stop; release += s->period) {
    sleep_until(&steady, release);
    integer start = monotonic();
    if (start - release > 1000 * s->period) release = start;         /* the machine slept: go on from here */
    integer fresh = 0, before = s->heard, kind;
    while ((kind = listen_once(s, &p))) {
      integer q = p.header.sequence;
      if (kind == FAREWELL) { s->state = PEER_STOPPED; break; }
      if (q == s->heard) { if (s->tick > 0) ++s->duplicated; continue; }
      if (q < s->heard) { ++s->late; continue; }
      s->lost += q - s->heard - 1;
      if (q < s->tick) ++s->late;
      take(s, &p);
      fresh = 1;
    }
    if (s->fresh) *s->fresh = s->tick == 0 ? 1 : !fresh ? 0 : s->heard == before + 1 ? 1 : 2;
    if (fresh || s->tick == 0) s->silent = 0; else quiet(s);
    if (s->state != TOGETHER) break;
    one_tick(s);
    tell(s, EXCHANGE, s->tick - 1);
    close_tick(s, release, start);
  }
  for (int i = 0; i < 3; ++i) { tell(s, FAREWELL, s->tick); --s->world->rows; }
  if (s->state == TOGETHER) s->state = ENDED;
}

static void freeze(Exchange *s) {
  const double *row = last_row(s);
  for (integer j = 0; j < s->freezes; ++j) *s->freeze_target[j] = row[s->freeze_column[j]];
  integer release = monotonic();
  for (integer i = 0; i < s->settle; ++i) {
    release += s->period;
    sleep_until(&steady, release);
    if (s->run(s->world, s->steps)) { s->state = LEFT_RANGE; break; }
    last_row(s);
  }
}

/* Waits for a packet until a time; 1: one is there. */
static int await(Exchange *s, integer until) {
  struct pollfd wait = {.fd = (int)s->socket, .events = POLLIN};
  integer left = until - monotonic();
  struct timespec t = {left / 1000000000, left % 1000000000};
  return left > 0 && ppoll(&wait, 1, &t, 0) > 0 && (wait.revents & POLLIN);
}

static void follow(Exchange *s) {
  Packet p;
  integer until = monotonic() + s->patience, release = 0;
  s->heard = -1;
  while (s->state == WAITING) {
    tell(s, EXCHANGE, 0);
    --s->world->rows;
    if (s->stop || monotonic() > until) { s->state = NO_PEER; return; }
    struct pollfd wait = {.fd = (int)s->socket, .events = POLLIN};
    struct timespec t = {0, 10000000};
    ppoll(&wait, 1, &t, 0);
    if (wait.revents & POLLIN) s->state = TOGETHER;
    else if (wait.revents) sleep_until(&steady, monotonic() + 10000000);
  }
  while (s->state == TOGETHER && s->tick < s->ticks_max && !s->stop) {
    if (!release) release = monotonic();
    int arrived = await(s, release + 2 * s->period), kind = arrived ? listen_once(s, &p) : 0;
    integer start = monotonic(), q = p.header.sequence;
    if (arrived && !kind) {                                          /* nothing usable: wait on, but not for ever */
      if (start < release + 2 * s->period) { if (s->stop) break; sleep_until(&steady, start + 20000); continue; }
    }
    if (kind == FAREWELL) { s->state = PEER_STOPPED; break; }
    if (kind && q < s->tick) {
      if (q <= s->heard) ++s->duplicated; else { ++s->late; s->heard = q; }
      continue;
    }
    if (kind) {
      for (s->lost += q - s->tick; s->tick < q && s->state == TOGETHER;) one_tick(s);
      take(s, &p);
      s->silent = 0;
    } else if (s->tick > 0) {
      quiet(s);
      if (s->state != TOGETHER) break;
    } else {
      if (start > until) s->state = NO_PEER;
      continue;
    }
    one_tick(s);
    tell(s, EXCHANGE, s->tick);
    integer due = release + s->period;
    close_tick(s, start > due ? due : start, start);
    release = kind ? start : due;
  }
  if (s->state == TOGETHER) s->state = ENDED;
  for (int i = 0; i < 3; ++i) { tell(s, FAREWELL, s->tick); --s->world->rows; }
  if (s->state != NO_PEER) freeze(s);
}

void exchange_loop(Exchange *s) {
  Paced rights = {.fifo = s->fifo, .cpu = s->cpu};
  claim_rights(&rights);
  if (s->leads) lead(s); else follow(s);
}

integer exchange_size(void) { return sizeof(Exchange); }
