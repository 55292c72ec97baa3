/* A loop against the wall clock, shared between its thread and everyone else; shared.py mirrors it.

   Every field is 8 bytes. Who writes: "before" the starter, before the loop runs; "orders" anyone, at any time;
   "inbox" one writer at a time, through paced_inputs; the rest the loop alone. */

enum { CATCH_UP, SKIP, STRETCH, STOP };                              /* policy on a missed deadline */
enum { READY, RUNNING, PAUSED, STOPPED, OUT_OF_RANGE, MISSED };      /* state of the loop */
enum { LIVE, HOLD, SAFE };                                           /* state of the inputs */
enum { BINS = 640, CHUNK = 64 };

typedef struct {
  integer ticks, steps, missed, burst, longest_burst;
  integer caught_up, skipped, slip;   /* ticks run at once, ticks left out, wall time not simulated (ns) */
  integer worst_lateness, worst_compute, compute_sum;                /* ns */
  integer lateness[BINS], compute[BINS];                             /* 16 bins an octave of ns */
} Ledger;

typedef struct {
  integer socket;                     /* bound, -1: no link */
  integer every;                      /* ticks between two packets sent */
  integer fixed_peer;                 /* 1: only the address below is heard */
  integer peer_address, peer_port;    /* IPv4, network byte order; 0: nobody yet */
  integer command_layout, state_layout;                              /* numbers of the two lists of names */
  const double *lower, *upper;        /* of each input */
  integer count;                      /* values of a state packet, */
  const integer *column;              /* and where in a recorded row each stands */
  integer sequence_in, sequence_out;
  integer received, refused, sent, unsent;
} Link;

typedef struct {
  /* before */
  int (*run)(World *, integer);       /* NULL: a bare sleeping loop */
  void (*record)(World *);            /* one row of the present state */
  World *world;
  integer (*clock)(void);             /* ns; NULL: the monotonic clock */
  void (*sleep)(integer);             /* until ns; NULL: clock_nanosleep, then a spin */
  integer period, spin, backlog;      /* ns: of a tick; busy end of a sleep; most that is ever caught up */
  integer ticks_max;                  /* 0: until told to stop */
  integer fifo, lock, cpu;            /* priority or 0; 1 to lock memory; a processor or -1 */
  double steps_per_tick;              /* at time scale 1 */
  integer inputs;
  double **target;                    /* where each input goes */
  integer held;                       /* how many held signals the world has */
  const double *safe;                 /* of each, what a safe stop forces it to; NaN: left alone */
  double *from, *forced;              /* of each, where the stop began, and where it has got to */
  double stop_time;                   /* simulated s that a stop takes */
  integer hold_after, safe_after;     /* ns without a new input; 0: no watchdog */
  double *ring;
  integer ring_rows, row_width;
  Link link;
  /* orders */
  integer stop, pause, single, policy, emergency;
  double scale;
  /* inbox */
  double *inbox;
  integer inbox_sequence;
  /* the loop */
  integer inbox_taken, input_time;
  integer state, input_state, fresh;  /* fresh: 1 once a safe stop has been released */
  integer head, tail, rows_lost;
  integer refused_rights;             /* 1 SCHED_FIFO, 2 memory lock, 4 processor */
  double debt;                        /* steps owed, less than one */
  double onset;                       /* simulated time of the stop, NaN: none */
  Ledger ledger;
} Paced;
