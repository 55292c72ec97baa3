/* The running data of a loop; world.py mirrors it. */

typedef long long integer;

typedef struct {
  double *x, *m, *w, *d;              /* states, memory, held signals, discrete states */
  const double *p;                    /* tunable parameters */
  const double *lower, *upper;        /* declared range of x */
  const double *const *table;         /* rows of each table */
  const integer *table_every, *table_rows;
  const integer *part_every;
  double t0, h;
  integer k;                          /* steps done since t0 */
  integer record_every;               /* 0: record nothing */
  integer record_count;               /* how many signals a row has, time not counted */
  const integer *record_index;        /* into x, then w, then outputs */
  double *record;                     /* rows of time and signals */
  integer rows, rows_max;
  integer bad;                        /* index of the state that left its range, else -1 */
  integer sampled;                    /* the step whose samples have been taken already, else -1 */
  const double *safe;                 /* where set: held signals forced to these values, NaN leaves one alone */
  const double *weight;               /* 1 / allowed error of each state in a step */
  double *error;                      /* largest error of each state in an accepted step, in allowed errors */
  double error_time;                  /* when the largest of them was accepted */
  integer repeated;                   /* steps repeated in parts */
  integer calls;                      /* evaluations of the method, repeats included */
  integer calls_most;                 /* in one step */
  integer failed;                     /* steps accepted with an error above the allowed one */
  integer failed_row, failed_most;    /* of these the latest in a row, and how many may be (0: any number) */
} World;
