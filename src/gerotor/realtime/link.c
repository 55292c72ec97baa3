/* The UDP link: packets as documented in docs/udp.md. Nothing of a packet is used before all of it has been checked. */

typedef struct {
  char magic[4];                      /* "GERO" */
  uint16_t version, kind;             /* 1; 1 command, 2 state */
  uint32_t sequence, count;
  uint64_t layout;                    /* number of the list of names */
  double time;                        /* simulated, s */
} Header;

enum { COMMAND = 1, STATE = 2, VERSION = 1, VALUES_MAX = 180, PACKETS_A_TICK = 16 };

typedef struct { Header header; double values[VALUES_MAX]; } Packet;

static int acceptable(const Paced *s, const Packet *p, ssize_t size, const struct sockaddr_in *from) {
  const Link *k = &s->link;
  const Header *h = &p->header;
  if (size < (ssize_t)sizeof(Header) || memcmp(h->magic, "GERO", 4) || h->version != VERSION || h->kind != COMMAND) return 0;
  if (h->count != s->inputs || size != (ssize_t)(sizeof(Header) + h->count * sizeof(double))) return 0;
  if (h->layout != (uint64_t)k->command_layout) return 0;
  int same = from->sin_addr.s_addr == (uint32_t)k->peer_address && from->sin_port == (uint16_t)k->peer_port;
  int silent = k->received == 0 || s->input_state != LIVE;
  if (!same && (k->fixed_peer || !silent)) return 0;
  if (same && !silent && (int32_t)(h->sequence - (uint32_t)k->sequence_in) <= 0) return 0;
  for (uint32_t i = 0; i < h->count; ++i) if (!(fabs(p->values[i]) < 1e300)) return 0;
  return 1;
}

static void link_receive(Paced *s, integer time) {
  Link *k = &s->link;
  Packet p;
  struct sockaddr_in from;
  for (int i = 0; k->socket >= 0 && i < PACKETS_A_TICK; ++i) {
    socklen_t length = sizeof from;
    ssize_t size = recvfrom((int)k->socket, &p, sizeof p, MSG_DONTWAIT | MSG_TRUNC, (struct sockaddr *)&from, &length);
    if (size < 0) break;
    if (size > (ssize_t)sizeof p || !acceptable(s, &p, size, &from)) { ++k->refused; continue; }
    ++k->received;
    k->sequence_in = p.header.sequence;
    k->peer_address = from.sin_addr.s_addr;
    k->peer_port = from.sin_port;
    s->input_time = time;
    for (integer j = 0; j < s->inputs; ++j) {
      double value = p.values[j] < k->lower[j] ? k->lower[j] : p.values[j];
      *s->target[j] = value > k->upper[j] ? k->upper[j] : value;
    }
  }
}

/* The present state, to whoever commands. */
static void link_send(Paced *s) {
  Link *k = &s->link;
  if (k->socket < 0 || !k->peer_port || s->ledger.ticks % k->every) return;
  s->record(s->world);
  s->world->rows = 0;
  const double *row = s->world->record;
  Packet p = {.header = {{'G', 'E', 'R', 'O'}, VERSION, STATE, (uint32_t)++k->sequence_out, (uint32_t)k->count,
                         (uint64_t)k->state_layout, row[0]}};
  for (integer i = 0; i < k->count; ++i) p.values[i] = row[k->column[i]];
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = (uint16_t)k->peer_port, .sin_addr = {(uint32_t)k->peer_address}};
  ssize_t size = sendto((int)k->socket, &p, sizeof(Header) + k->count * sizeof(double), MSG_DONTWAIT, (struct sockaddr *)&to, sizeof to);
  if (size < 0) ++k->unsent; else ++k->sent;
}
