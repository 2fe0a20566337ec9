# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A TCP in Python, from the text of RFC 9293, 6298, 5681, 6582, 3042 and 5961, against which toe_tcp is checked.

It does not model the scan: what is due at a time is sent at once. The test supplies the payload that the receiver has
accepted and the initial sequence numbers.
"""

from dataclasses import dataclass, field

from toe_structs import TUPLE
from toe_tcp_play import ABORT, ACK, CLOSE, CONNECT, FIN, LEFT, LISTEN, MSS, RST, SYN, State, ahead, plus
from ullnic_tb.structs import unpack

CHALLENGES, EPOCH_TICKS, EPOCHS = 7, 256, 8
SYNCHRONIZED = [state for state in State if state >= State.SYN_RCVD]


MAX_BEAT_BYTES = 16  # toe_tcp_pkg.sv


@dataclass
class Session:
    """The transmission control block, 3.3.1."""

    state: State = State.CLOSED
    listens: bool = False
    tuple: int = 0
    una: int = 0
    nxt: int = 0
    wnd: int = 0
    raw_window: int = 0
    wl1: int = 0
    wl2: int = 0
    rcv: int = 0
    mss: int = 536
    scale: int = 0
    cwnd: int = 0
    ssthresh: int = 1 << 18
    counted: int = 0
    dups: int = 0
    recovering: bool = False
    partial: bool = False
    recover: int | None = None  # None: all that was in flight at the last loss is acknowledged
    again: int | None = None  # retransmission starts here
    timed: list[int] | None = None  # sequence number, tick
    srtt: int | None = None  # eighths
    rttvar: int = 0  # quarters
    rto: int = 0
    timer: str | None = None
    deadline: int = 0
    retries: int = 0
    closing: bool = False
    fin_sent: bool = False
    challenged: dict = field(default_factory=lambda: {"epoch": 0, "count": 0})

    @property
    def flight(self) -> int:
        return ahead(self.nxt, self.una)

    @property
    def closed(self) -> bool:
        """The peer's window is closed, or it is too small for a beat and nothing is in flight."""
        return self.wnd == 0 or (self.wnd < MAX_BEAT_BYTES and self.flight == 0)


class Model:
    def __init__(self, settings: dict, sessions: int, ring: int, congestion: bool = True, instant: bool = False):
        self.settings, self.ring, self.congestion, self.instant = settings, ring, congestion, instant
        self.sessions = [Session() for _ in range(sessions)]
        self.now, self.left = 0, LEFT
        self.iss = lambda sid: 0
        self.clear()

    def clear(self) -> None:
        self.frames, self.strays, self.acks, self.events = [], [], [], []

    # --- What the user may do
    def may_send(self, sid: int) -> bool:
        s = self.sessions[sid]
        return s.state in (State.SYN_RCVD, State.ESTABLISHED, State.CLOSE_WAIT) and not s.closing

    def allowance(self, sid: int) -> int:
        s = self.sessions[sid]
        if s.state == State.SYN_RCVD:
            return 0
        if not self.congestion:
            return s.wnd
        limited = s.dups * s.mss if s.dups in (1, 2) and not s.recovering else 0
        return min(s.wnd, max(s.mss, min(s.cwnd + limited, 2 * self.ring)))

    # --- 3.10.1, 3.10.4, 3.10.5
    def order(self, command: int, sid: int, tup: int) -> None:
        if sid >= len(self.sessions):
            return self.report(sid, "BAD_COMMAND")
        s = self.sessions[sid]
        closed = s.state == State.CLOSED
        if command == LISTEN and closed:
            s.state, s.listens, s.tuple = State.LISTEN, True, tup
        elif command == CONNECT and closed:
            self.begin(sid, tup, State.SYN_SENT)
        elif command == CLOSE and s.state == State.SYN_SENT:
            self.end(sid, "CLOSED", forget=True)
        elif command == CLOSE and (
            s.state in (State.ESTABLISHED, State.CLOSE_WAIT) or (s.state == State.SYN_RCVD and not s.listens)
        ):
            if s.closing:
                self.report(sid, "BAD_COMMAND")
            s.closing = True
        elif command == ABORT and not closed:
            states = (State.SYN_RCVD, State.ESTABLISHED, State.FIN_WAIT_1, State.FIN_WAIT_2, State.CLOSE_WAIT)
            if s.state in states:
                self.frames.append((sid, RST | ACK, s.nxt, 0))
            self.end(sid, "CLOSED", forget=True)
        else:
            self.report(sid, "BAD_COMMAND")
        self.visit(sid)

    # --- 3.10.7
    def segment(self, sid: int, seg: dict) -> None:
        flags, hit = seg["flags"], seg["hit"]
        s = self.sessions[sid] if hit else Session()
        mine, its = unpack(TUPLE, s.tuple), unpack(TUPLE, seg["tuple"])
        ours = (mine["iface"], mine["local_port"]) == (its["iface"], its["local_port"])
        if s.state != State.LISTEN:
            ours = mine == its
        if s.state == State.CLOSED or not ours:
            # The session now belongs to another connection: its port may have a listener
            if not hit or flags & ACK or (s.state == State.CLOSED and not flags & SYN):
                self.refuse(seg)
            return
        if s.state == State.LISTEN:
            if flags & RST:
                return
            if flags & ACK:
                self.refuse(seg)
            elif flags & SYN:
                self.options(self.begin(sid, seg["tuple"], State.SYN_RCVD), seg)
        elif s.state == State.SYN_SENT:
            self.in_syn_sent(sid, s, seg)
        else:
            self.in_others(sid, s, seg)
        self.visit(sid)

    def in_syn_sent(self, sid: int, s: Session, seg: dict) -> None:
        flags = seg["flags"]
        if flags & ACK and not 0 < ahead(seg["ack"], s.una) <= s.flight:
            return self.refuse(seg)
        if flags & RST:
            if flags & ACK:
                self.end(sid, "REFUSED")
            return
        if flags & SYN:
            self.options(s, seg)
            self.offer(s, seg)
            if flags & ACK:
                self.establish(sid, s, seg)
                self.acks.append((sid, 1))
            else:
                s.state, s.again, s.timed = State.SYN_RCVD, s.una, None

    def in_others(self, sid: int, s: Session, seg: dict) -> None:
        flags, seq, ack, length = seg["flags"], seg["seq"], seg["ack"], seg["length"]
        from_rcv = ahead(seq, s.rcv)
        within = from_rcv == 0 or 0 < from_rcv < self.left  # of the advertised window
        if seg["accepted"]:
            s.rcv = plus(seq, length)
        more = ahead(ack, s.una) > 0 and ahead(ack, s.nxt) <= 0
        if s.state == State.TIME_WAIT and flags & (SYN | ACK | RST) == SYN and s.listens and from_rcv > 0:
            return self.options(self.begin(sid, s.tuple, State.SYN_RCVD), seg)
        if s.state == State.SYN_RCVD and flags & (SYN | RST) == SYN and from_rcv == -1 and (more or not flags & ACK):
            if flags & ACK:  # figure 8
                self.offer(s, seg)
                self.establish(sid, s, seg)
                self.acks.append((sid, 1))
            else:
                s.again, s.timed = s.una, None
            return
        if flags & SYN and not flags & RST:
            if s.state == State.SYN_RCVD and s.listens and within:
                return self.end(sid, None)
            return self.challenge(sid, s)
        size = length + bool(flags & FIN)
        inside = within or (size and not flags & RST and from_rcv < 0 and from_rcv + size > 0)
        # The other end requests an answer, with the number before RCV.NXT, and has acknowledged new data with that
        asks = not size and flags & (SYN | RST | ACK) == ACK and from_rcv == -1 and more and s.state != State.SYN_RCVD
        if not inside and not asks:
            if flags & RST:
                return
            if s.state == State.TIME_WAIT and flags & FIN:
                s.timer = None
            if size:
                self.acks.append((sid, 1))
            else:
                self.challenge(sid, s)
            return
        if flags & RST:
            if from_rcv:
                return self.challenge(sid, s)
            if s.state == State.SYN_RCVD:
                return self.end(sid, None if s.listens else "REFUSED")
            ended = s.state in (State.CLOSING, State.LAST_ACK, State.TIME_WAIT)
            return self.end(sid, "CLOSED" if ended else "RESET")
        if not flags & ACK:
            return
        if s.state == State.SYN_RCVD:
            if not more:
                return self.refuse(seg)
            self.offer(s, seg)
            self.establish(sid, s, seg)
        else:
            if not seg["accepted"] and not 0 <= (s.nxt - ack) % (1 << 32) < 2 * self.ring:
                return self.challenge(sid, s)
            waits = s.state == State.TIME_WAIT
            if self.acknowledge(sid, s, seg, more):
                return
            if asks or (waits and not size and from_rcv):  # the answer has our sequence numbers
                self.challenge(sid, s)
        if size:
            self.acks.append((sid, int(bool(flags & FIN) or not seg["accepted"] or self.instant)))
        if flags & FIN and ahead(plus(seq, length), s.rcv) == 0:
            if s.state == State.ESTABLISHED:
                s.state = State.CLOSE_WAIT
            elif s.state in (State.FIN_WAIT_1, State.FIN_WAIT_2):
                s.state = State.CLOSING if s.state == State.FIN_WAIT_1 else State.TIME_WAIT
                s.timer = None if s.state == State.TIME_WAIT else s.timer
            else:
                return
            s.rcv = plus(s.rcv, 1)
            self.report(sid, "PEER_CLOSED")

    def acknowledge(self, sid: int, s: Session, seg: dict, more: bool) -> bool:
        """Fifth: the ACK field.  True: the connection is over."""
        ack, shut, closed = seg["ack"], s.wnd == 0, s.closed
        same = ack == s.una
        alone = not seg["length"] and not seg["flags"] & FIN
        duplicate = s.flight and alone and same and seg["window"] == s.raw_window and not shut
        if more or closed or s.timer == "idle":
            s.retries = 0
        if s.timer in ("idle", "last"):
            s.timer = None
            self.calm(s)
        acked_fin = s.fin_sent and ack == s.nxt
        if more:
            self.new_ack(s, ack)
        newer = ahead(seg["seq"], s.wl1) > 0 or (seg["seq"] == s.wl1 and ahead(ack, s.wl2) >= 0)
        if (more or same) and newer:
            self.offer(s, seg)
            if closed and not s.closed:  # what was sent into the closed window is lost
                s.timer = None
                self.calm(s)
                if s.flight:
                    s.again, s.timed = s.una, None
        if duplicate:
            self.duplicate(s)
        if acked_fin:
            if s.state == State.FIN_WAIT_1:
                s.state = State.FIN_WAIT_2
            elif s.state == State.CLOSING:
                s.state, s.timer = State.TIME_WAIT, None
            elif s.state == State.LAST_ACK:
                self.end(sid, "CLOSED")
                return True
        return False

    # --- Connections
    def begin(self, sid: int, tup: int, state: State) -> Session:
        old = self.sessions[sid]
        s = Session(state=state, listens=old.listens, tuple=tup, rcv=old.rcv, cwnd=old.cwnd)
        s.una = s.again = self.iss(sid)
        s.nxt = plus(s.una, 1)
        s.rto = self.settings["rto_initial"]
        s.challenged = {"epoch": old.challenged["epoch"], "count": 0}
        s.wnd, s.raw_window, s.wl1, s.wl2 = old.wnd, old.raw_window, old.wl1, old.wl2
        self.sessions[sid] = s
        return s

    def end(self, sid: int, event: str | None, forget: bool = False) -> None:
        s = self.sessions[sid]
        s.listens = s.listens and not forget
        s.state = State.LISTEN if s.listens else State.CLOSED
        s.again = s.timer = None
        if event:
            self.report(sid, event)

    def establish(self, sid: int, s: Session, seg: dict) -> None:
        lost = s.retries > 0
        s.state, s.cwnd, s.counted = State.ESTABLISHED, 0, 0
        first = 1 if lost else 2 if s.mss > 2190 else 3 if s.mss > 1095 else 4
        self.sample(s, seg["ack"], 3 if lost else 1)
        s.una, s.dups, s.again, s.timer, s.retries, s.recover = seg["ack"], 0, None, None, 0, None
        s.cwnd = first * s.mss
        self.report(sid, "CONNECTED")

    def options(self, s: Session, seg: dict) -> None:
        given = seg["mss"] if seg.get("mss_on") else 536
        s.mss = max(28, min(MSS, given))
        s.scale = seg["scale"] if seg.get("scale_on") else 0
        s.rcv = plus(seg["seq"], 1)

    def offer(self, s: Session, seg: dict) -> None:
        scale = 0 if seg["flags"] & SYN else s.scale
        s.raw_window, s.wl1, s.wl2 = seg["window"], seg["seq"], seg["ack"]
        s.wnd = min(seg["window"] << scale, self.ring)

    # --- RFC 5681, 6582, 3042
    def new_ack(self, s: Session, ack: int) -> None:
        acked, left = ahead(ack, s.una), ahead(s.nxt, ack)
        full = s.recover is None or ahead(ack, s.recover) >= 0
        recovering, restart, again = s.recovering, True, s.again
        if recovering:
            again = None if full and again is None else ack
            if full:
                s.cwnd = min(s.ssthresh, max(left, s.mss) + s.mss)
                s.recovering = s.partial = False
            else:
                s.cwnd = max(s.mss, max(0, s.cwnd - acked) + (s.mss if acked >= s.mss else 0))
                restart, s.partial = not s.partial, True
        elif s.cwnd < s.ssthresh:
            s.cwnd = min(s.cwnd + min(acked, s.mss), 2 * self.ring)
        else:
            s.counted += acked
            if s.counted >= s.cwnd:
                s.counted -= s.cwnd
                s.cwnd = min(s.cwnd + s.mss, 2 * self.ring)
        self.sample(s, ack, 1)
        if recovering:
            s.timed = None
        if s.recover is not None and ahead(ack, s.recover) > 0:
            s.recover = None
        s.una, s.dups = ack, 0
        if again is not None and ahead(again, ack) < 0:
            again = ack
        s.again = None if not left else again
        if restart:
            s.timer = None

    def duplicate(self, s: Session) -> None:
        if s.recovering:
            s.cwnd = min(s.cwnd + s.mss, 2 * self.ring)
            return
        s.dups = min(3, s.dups + 1) if s.dups < 3 else 4
        if s.dups == 3 and s.recover is None:
            s.ssthresh = max(min(s.flight, s.cwnd) // 2, 2 * s.mss)
            s.cwnd = min(s.ssthresh + 3 * s.mss, 2 * self.ring)
            s.counted = 0
            s.recovering, s.partial, s.recover, s.again, s.timed = True, False, s.nxt, s.una, None

    # --- RFC 6298
    def sample(self, s: Session, ack: int, initial: int) -> None:
        if s.timed and ahead(ack, s.timed[0]) >= 0:
            r = self.now - s.timed[1]
            if s.srtt is None:
                s.srtt, s.rttvar = 8 * r, 2 * r
            else:
                delta = r - (s.srtt >> 3)
                s.srtt, s.rttvar = s.srtt + delta, s.rttvar - (s.rttvar >> 2) + abs(delta)
            s.timed = None
        self.calm(s, initial)

    def calm(self, s: Session, initial: int = 1) -> None:
        """Restores the measured timeout: its doubling is over."""
        measured = s.srtt is not None and (s.srtt >> 3) + max(1, s.rttvar)
        rto = measured or initial * self.settings["rto_initial"]
        s.rto = max(self.settings["rto_min"], min(rto, self.settings["rto_max"]))

    def tick(self) -> None:
        self.now += 1
        for sid in range(len(self.sessions)):
            self.visit(sid)

    def wanted(self, s: Session) -> str | None:
        speaks = s.state in (State.ESTABLISHED, State.CLOSE_WAIT)
        if s.state in (State.CLOSED, State.LISTEN):
            return None
        if s.state == State.TIME_WAIT:
            return "wait"
        if s.state == State.FIN_WAIT_2 and self.settings["fin_wait"]:
            return "last"
        if s.flight or (speaks and s.closed):
            return "again"
        if self.settings["keepalive"] and (speaks or s.state == State.FIN_WAIT_2):
            return "idle"
        return None

    def visit(self, sid: int) -> None:
        """Does what is due now: deadlines, and everything that may be sent."""
        s = self.sessions[sid]
        if s.timer and s.timer == self.wanted(s) and self.now >= s.deadline:
            self.expire(sid, s)
        synced = s.state > State.SYN_RCVD
        if s.again is not None and s.state == State.SYN_SENT:
            self.frames.append((sid, SYN, s.una, 0))
        elif s.again is not None and s.state == State.SYN_RCVD:
            self.frames.append((sid, SYN | ACK, s.una, 0))
        if s.again is not None and s.state in (State.SYN_SENT, State.SYN_RCVD):
            if s.timer is None and not s.retries:
                s.timed = [s.nxt, self.now]
            s.again = None
        if synced:
            while s.again is not None and self.piece(sid, s):
                pass
            speaks = s.state in (State.ESTABLISHED, State.CLOSE_WAIT)
            if s.closing and not s.fin_sent and s.again is None and speaks:
                s.state = State.FIN_WAIT_1 if s.state == State.ESTABLISHED else State.LAST_ACK
                s.fin_sent = True
                self.frames.append((sid, FIN | ACK, s.nxt, 0))
                s.nxt = plus(s.nxt, 1)
            if s.flight and not s.timed and s.again is None and not s.recovering and not s.retries:
                s.timed = [s.nxt, self.now]
        if s.state in (State.CLOSED, State.LISTEN):
            return
        timer = self.wanted(s)
        if timer != s.timer:
            waits = {"wait": self.settings["time_wait"], "again": s.rto, None: 0}
            waits["last"] = self.settings["fin_wait"]
            waits["idle"] = s.rto if s.retries else self.settings["keepalive"]
            s.timer, s.deadline = timer, self.now + waits[timer]

    def piece(self, sid: int, s: Session) -> bool:
        """Retransmits one segment, if allowed; returns whether there may be more."""
        end = s.flight - s.fin_sent
        offset = ahead(s.again, s.una)
        window = min(s.wnd, s.cwnd) if self.congestion else s.wnd
        length = max(0, min(s.mss, window - offset, end - offset))
        if offset >= end:
            if s.fin_sent:
                self.frames.append((sid, FIN | ACK, plus(s.una, end), 0))
            s.again = None
            return False
        if not length:
            return False
        self.frames.append((sid, ACK, s.again, length))
        s.again = None if s.recovering else plus(s.again, length)
        return True

    def expire(self, sid: int, s: Session) -> None:
        if s.timer == "wait":
            return self.end(sid, "CLOSED")
        starting = s.state in (State.SYN_SENT, State.SYN_RCVD)
        if s.timer == "last" or s.retries >= self.settings["syn_retries" if starting else "retries"]:
            if s.state != State.SYN_SENT:
                self.frames.append((sid, RST | ACK, s.nxt, 0))
            return self.end(sid, None if s.state == State.SYN_RCVD and s.listens else "TIMED_OUT")
        timer, s.timer, s.timed = s.timer, None, None
        first = not s.retries
        s.retries += 1
        s.rto = min(2 * s.rto, self.settings["rto_max"])
        if timer == "idle" or (not starting and s.closed):
            if s.flight - s.fin_sent > 0:
                self.frames.append((sid, ACK, s.una, 1))
            elif s.flight:
                self.frames.append((sid, FIN | ACK, s.una, 0))
            else:
                self.frames.append((sid, ACK, plus(s.una, -1), 0))
            return
        if not starting:
            if first:
                s.ssthresh = max(min(s.flight, s.cwnd) // 2, 2 * s.mss)
            s.recover = s.nxt
        s.cwnd, s.counted, s.dups, s.recovering, s.partial, s.again = s.mss, 0, 0, False, False, s.una

    # --- Answers
    def refuse(self, seg: dict) -> None:
        flags = seg["flags"]
        if flags & RST:
            return
        if flags & ACK:
            self.strays.append((seg["tuple"], RST, seg["ack"]))
        else:
            end = plus(seg["seq"], seg["length"] + bool(flags & SYN) + bool(flags & FIN))
            self.strays.append((seg["tuple"], RST | ACK, 0, end))

    def challenge(self, sid: int, s: Session) -> None:
        epoch = self.now // EPOCH_TICKS % EPOCHS
        if s.challenged["epoch"] != epoch:
            s.challenged = {"epoch": epoch, "count": 0}
        if s.challenged["count"] < CHALLENGES:
            s.challenged["count"] += 1
            self.acks.append((sid, 1))

    def report(self, sid: int, event: str) -> None:
        self.events.append((sid, event))
