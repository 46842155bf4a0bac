-- The handshake of two programs, RESUME and the rematch, with somebody in the middle (docs/model/README.md).
--
-- Everything that is sent goes through the middle, who reads, drops and repeats it and sends what they can make of what
-- they know.  Hashes, macs and signatures are symbols: a hash is the list of what is hashed, and a signature under a
-- key that the middle does not own can only be one that its owner has made.  Section numbers are those of SPEC.md.
--
-- What somebody has drawn at random (a key, a nonce, a blind) is named by the number of who drew it, so two values are
-- equal only if they are the same value.

const
  -- What the protocol does.  Set one of these to false, and one of the invariants below must fail.
  BLIND_IN_ID: true;         -- 3.5: the guest's blind goes into the match id
  BLIND_COMMITTED: true;     -- 4.1: the guest's HELLO fixes the blind
  ONE_ANSWER: true;          -- 4.1: a guest that has signed takes no other HELLO of the host (redrawn)
  SAME_PICK: true;           -- 4.10: a guest that signs again names the same seat
  FRESH_ANSWER: true;        -- 3.3: the host draws from the guest's HELLO what it answers with
  KEYS_IN_ID: true;          -- 3.5: the match id is a hash of both match keys
  TERMS_IN_ID: true;         -- 3.5: ... of the terms
  HOST_IN_ID: true;          -- 3.5: ... of the whole of the host's HELLO
  IDENTITY_SIGNS: true;      -- 3.2: SIGN holds a signature by the identity key
  KEY_SIGNS: true;           -- 3.2: SIGN holds a signature by the match key
  MAC: true;                 -- 4.1: HELLO proves the secret of the invite
  INVITE_IDENTITY: true;     -- 3.17, 4.1: a guest plays only with the identity that the invite names
  CHANNEL_IN_HELLO: true;    -- 3.5, 4.14: both HELLOs name the certificate of the connection
  REMATCH_IDENTITY: true;    -- 4.22: a host takes only the player of the match before
  REMATCH_TERMS: true;       -- 4.22: a guest takes only the terms of the match before, with seats exchanged
  RESUME_NAMES_MATCH: true;  -- 3.10: RESUME is signed with the match key, and names the match
  RESUME_OWN_NONCE: true;    -- 4.10: it names the nonce of who receives it
  RESUME_THEIR_NONCE: true;  -- 4.10: it names the nonce of who sends it
  RESUME_CHANNEL: true;      -- 4.10: it names the connection

  -- Two people with honest programs, and the one in the middle.
  MIDDLE: 0;
  ALICE: 1;
  BEN: 2;

  -- Four handshakes of honest programs: two as the guest, two as the host.  0 stands for the middle, too.
  G1: 1;
  G2: 2;
  H1: 3;
  H2: 4;

  CALLS: 2;  -- how often a guest calls with one invite: each time with another blind, until it has signed

type
  Person: MIDDLE..BEN;
  Drawer: MIDDLE..H2;
  Guest: G1..G2;
  Host: H1..H2;
  -- Who has drawn the rest of a HELLO.  Two values of each stand for something of the middle's that was searched for,
  -- so that the words become those of one handshake of the other kind.  A host draws anew for each HELLO that it
  -- answers.  ANSWER is what it draws for the HELLO in the same match, OTHER_ANSWER what it draws for any other.
  GuestNonce: enum {INVENTED, SEARCHED_G1, SEARCHED_G2, OF_G1, OF_G2};
  HostNonce: enum {MADE_UP, SEARCHED_H1, SEARCHED_H2, ANSWER_H1, ANSWER_H2, OTHER_ANSWER_H1, OTHER_ANSWER_H2};
  Call: 1..CALLS;
  Blind: 0..(2 * CALLS);  -- 0 is the middle's, 1 and 2 are those of the calls of G1, 3 and 4 those of G2
  Terms: 0..1;
  Pick: 0..1;

  -- What the middle may alter in a HELLO of an honest program before they show it to another one.
  AlteredOfHost: enum {HOST_NOTHING, HOST_IDENTITY, HOST_KEY, HOST_TERMS, HOST_OTHER_ANSWER};
  AlteredOfGuest: enum {GUEST_NOTHING, GUEST_IDENTITY, GUEST_KEY, GUEST_BLIND};

  GuestHello: record
    identity: Person;
    key: Drawer;        -- who drew the match key and so can sign with it
    nonce: GuestNonce;  -- the rest; a HELLO of a guest in which the middle has altered a field may still have it
    blind: Blind;       -- the blind that it fixes
  end;

  HostHello: record
    identity: Person;
    key: Drawer;
    nonce: HostNonce;
    terms: Terms;
  end;

  -- What the match id is a hash of.
  Match: record
    guest: GuestHello;
    host: HostHello;
    pick: Pick;
  end;

  Phase: enum {IDLE, WAITING, SIGNED, BEGUN};

  GuestState: record
    phase: Phase;
    call: Call;
    invite: 0..H2;      -- whose invite it follows: H1's, H2's, or 0 for one that the middle has made
    expects: Person;    -- whom the invite names, or with whom the match before was
    detour: boolean;    -- whether it sees the certificate of the middle
    twice: boolean;     -- whether it has ever signed two match ids
    match: Match;       -- what it has signed last
  end;

  HostState: record
    phase: Phase;       -- never SIGNED: a host signs when it begins
    read: boolean;      -- whether the middle has read the invite and knows its secret
    expects: Person;    -- the player of the match before; MIDDLE where anybody may come
    match: Match;
  end;

  -- The connections of one match that is played: 1 and 2 end at Alice, the guest, and 3 and 4 at Ben, the host.
  Line: 1..4;
  Played: 0..2;         -- 1 and 2 are matches between Alice and Ben; 0 is one with the middle
  LineState: record
    match: Played;
    detour: boolean;    -- whether Alice's program sees the certificate of the middle; Ben's sees its own
    asked: 0..5;        -- the nonce of the other's CALL: that of a line, 5 for one of the middle; 0 before it came
    peer: 0..5;         -- the line whose RESUME was taken, 5 for one of the middle; 0 before
  end;

  World: enum {
    INVITES,            -- Alice is the guest twice, Ben the host twice
    CROSSED,            -- Alice is guest and host, and so is Ben
    REMATCH,            -- G2 and H2 are the rematch of what G1 and H1 have played
    LINES               -- the matches have begun, and their lines are made anew
  };

var
  world: World;
  guests: array [Guest] of GuestState;
  hosts: array [Host] of HostState;
  lines: array [Line] of LineState;

----------------------------------------------------------------------------------------------------------------------
-- Who is who

function owner(one: Drawer): Person;
begin
  if one = MIDDLE then return MIDDLE; end;
  if one = G1 | (one = G2 & world != CROSSED) | (one = H2 & world = CROSSED) then return ALICE; end;
  return BEN;
end;

function blind_of(g: Guest; call: Call): Blind;
begin
  if !BLIND_IN_ID then return 0; end;
  return (g - 1) * CALLS + call;
end;

function has_signed(g: Guest): boolean;
begin
  return guests[g].phase = SIGNED | guests[g].phase = BEGUN;
end;

-- Whether a guest is in a call: one that has signed calls again until it has heard the host's SIGN.
function has_call(g: Guest): boolean;
begin
  return guests[g].phase = WAITING | guests[g].phase = SIGNED;
end;

-- The blind of a call is a secret until the guest has signed in that call.
function knows_blind(blind: Blind): boolean;
begin
  return blind = 0
    | exists g: Guest do
        has_signed(g) & blind = blind_of(g, guests[g].call)
      end;
end;

function is_awake(one: Drawer): boolean;
begin
  if one = MIDDLE then return true; end;
  if one <= G2 then return guests[one].phase != IDLE; end;
  return hosts[one].phase != IDLE;
end;

-- Who made the invite, or knows it, can make the macs of a handshake.
function knows_secret(invite: 0..H2): boolean;
begin
  if !MAC | invite = 0 then return true; end;
  return hosts[invite].read;
end;

-- The terms that a host offers.  In a rematch 1 stands for those of before, with the seats exchanged.
function terms_of(h: Host): Terms;
begin
  if h = H1 then return 0; end;
  return 1;
end;

----------------------------------------------------------------------------------------------------------------------
-- The match id and the words

-- Whether two matches have the same id.
function same_id(one: Match; two: Match): boolean;
begin
  if one.guest.identity != two.guest.identity | one.guest.nonce != two.guest.nonce | one.pick != two.pick then
    return false;
  end;
  if KEYS_IN_ID & (one.guest.key != two.guest.key | one.host.key != two.host.key) then return false; end;
  if TERMS_IN_ID & one.host.terms != two.host.terms then return false; end;
  if one.guest.blind != two.guest.blind then return false; end;
  return !HOST_IN_ID | (one.host.identity = two.host.identity & one.host.nonce = two.host.nonce);
end;

function searched_for_host(h: Host): HostNonce;
begin
  if h = H1 then return SEARCHED_H1; end;
  return SEARCHED_H2;
end;

function searched_for_guest(g: Guest): GuestNonce;
begin
  if g = G1 then return SEARCHED_G1; end;
  return SEARCHED_G2;
end;

-- Whether a guest and a host read the same words.  Words of different ids are different, unless the middle has drawn
-- something again and again until they were not.  That takes 2^32 tries, and so it takes all the rest of both ids.
function same_words(g: Guest; h: Host): boolean;
begin
  return same_id(guests[g].match, hosts[h].match)
    | guests[g].match.host.nonce = searched_for_host(h) | hosts[h].match.guest.nonce = searched_for_guest(g);
end;

-- A HELLO to this guest may be searched for when the middle knows all else that goes into the guest's match id.  The
-- words that are wanted are those of the middle's own match with a host, all of which the middle knows before the SIGN.
function may_aim_at_host(g: Guest; h: Host): boolean;
begin
  return is_awake(h) & knows_secret(h) & knows_blind(blind_of(g, guests[g].call));
end;

-- A HELLO to a host is said before the host's answer is known, and its blind is fixed before, too.
function may_aim_at_guest(g: Guest): boolean;
begin
  return (!FRESH_ANSWER | !BLIND_COMMITTED) & has_signed(g);
end;

----------------------------------------------------------------------------------------------------------------------
-- Signatures of honest programs that the middle has read

function guest_signed(g: Guest; match: Match): boolean;
begin
  return has_signed(g) & same_id(guests[g].match, match);
end;

function host_signed(h: Host; match: Match): boolean;
begin
  return hosts[h].phase = BEGUN & same_id(hosts[h].match, match);
end;

-- Whether there is a signature of a guest over this match by this identity, and one by this match key.  The labels of
-- 3.2 keep a guest's signature from being taken for a host's.
function is_signed_as_guest(match: Match; identity: Person; key: Drawer): boolean;
begin
  return (!IDENTITY_SIGNS | identity = MIDDLE
      | exists g: Guest do owner(g) = identity & guest_signed(g, match) end)
    & (!KEY_SIGNS | key = MIDDLE
      | exists g: Guest do g = key & guest_signed(g, match) end);
end;

function is_signed_as_host(match: Match; identity: Person; key: Drawer): boolean;
begin
  return (!IDENTITY_SIGNS | identity = MIDDLE
      | exists h: Host do owner(h) = identity & host_signed(h, match) end)
    & (!KEY_SIGNS | key = MIDDLE
      | exists h: Host do h = key & host_signed(h, match) end);
end;

----------------------------------------------------------------------------------------------------------------------
-- HELLO

-- Whether a host would answer the true HELLO of a guest, and the guest would take that answer.
function passes(g: Guest; h: Host): boolean;
begin
  return is_awake(g) & is_awake(h)
    & (guests[g].invite = h | (knows_secret(guests[g].invite) & knows_secret(h)))
    & (!CHANNEL_IN_HELLO | !guests[g].detour);
end;

-- What the guest checks of it (4.1).  With terms 0 a guest chooses its seat; G2 always takes the same.
function guest_takes(g: Guest; identity: Person; key: Drawer; terms: Terms; pick: Pick): boolean;
begin
  return (pick = 0 | (terms = 0 & g = G1))
    & (!INVITE_IDENTITY | identity = guests[g].expects)
    & key != g
    & (!REMATCH_TERMS | world != REMATCH | g != G2 | terms = 1);
end;

-- A guest that has signed calls again if it has not heard the host's SIGN.
function signs_again(g: Guest; identity: Person; key: Drawer; nonce: HostNonce; terms: Terms; pick: Pick): boolean;
begin
  if guests[g].phase != SIGNED then return false; end;
  if SAME_PICK & pick != guests[g].match.pick then return false; end;
  return !ONE_ANSWER | (identity = guests[g].match.host.identity & key = guests[g].match.host.key
    & nonce = guests[g].match.host.nonce & terms = guests[g].match.host.terms);
end;

-- What the guest checks, and whether it signs now.
function would_sign(g: Guest; identity: Person; key: Drawer; nonce: HostNonce; terms: Terms; pick: Pick): boolean;
begin
  return guest_takes(g, identity, key, terms, pick)
    & (guests[g].phase = WAITING | signs_again(g, identity, key, nonce, terms, pick));
end;

procedure guest_signs(g: Guest; identity: Person; key: Drawer; nonce: HostNonce; terms: Terms; pick: Pick);
var
  before: Match;
begin
  before := guests[g].match;
  guests[g].match.guest.identity := owner(g);
  guests[g].match.guest.key := g;
  if g = G1 then guests[g].match.guest.nonce := OF_G1; else guests[g].match.guest.nonce := OF_G2; end;
  guests[g].match.guest.blind := blind_of(g, guests[g].call);
  guests[g].match.host.identity := identity;
  guests[g].match.host.key := key;
  guests[g].match.host.nonce := nonce;
  guests[g].match.host.terms := terms;
  guests[g].match.pick := pick;
  if guests[g].phase = SIGNED & guests[g].match != before then guests[g].twice := true; end;
  guests[g].phase := SIGNED;
end;

-- The HELLO of a host as the guest sees it if the middle has altered one thing.
function shown_identity(h: Host; altered: AlteredOfHost): Person;
begin
  if altered = HOST_IDENTITY then return MIDDLE; end;
  return owner(h);
end;

function shown_key(h: Host; altered: AlteredOfHost): Drawer;
begin
  if altered = HOST_KEY then return MIDDLE; end;
  return h;
end;

function shown_terms(h: Host; altered: AlteredOfHost): Terms;
begin
  if altered = HOST_TERMS then return 1 - terms_of(h); end;
  return terms_of(h);
end;

function shown_answer(h: Host; altered: AlteredOfHost): HostNonce;
begin
  if altered = HOST_OTHER_ANSWER then
    if h = H1 then return OTHER_ANSWER_H1; end;
    return OTHER_ANSWER_H2;
  end;
  if h = H1 then return ANSWER_H1; end;
  return ANSWER_H2;
end;

ruleset g: Guest; h: Host; altered: AlteredOfHost; pick: Pick do
  rule "the guest takes a host's HELLO, which the middle may have altered, and sends SIGN"
    has_call(g) & passes(g, h)
    & (altered = HOST_NOTHING | knows_secret(guests[g].invite))
    & would_sign(g, shown_identity(h, altered), shown_key(h, altered), shown_answer(h, altered),
      shown_terms(h, altered), pick)
  ==>
  begin
    guest_signs(g, shown_identity(h, altered), shown_key(h, altered), shown_answer(h, altered),
      shown_terms(h, altered), pick);
  end;
end;

-- The middle may name any identity and any key.
ruleset g: Guest; identity: Person; key: Drawer; terms: Terms; pick: Pick do
  rule "the guest takes the middle's own HELLO and sends SIGN"
    has_call(g) & knows_secret(guests[g].invite) & is_awake(key)
    & would_sign(g, identity, key, MADE_UP, terms, pick)
  ==>
  begin
    guest_signs(g, identity, key, MADE_UP, terms, pick);
  end;
end;

ruleset g: Guest; h: Host; pick: Pick do
  rule "the guest takes a HELLO of the middle that was searched for, and sends SIGN"
    has_call(g) & knows_secret(guests[g].invite) & may_aim_at_host(g, h)
    & would_sign(g, guests[g].expects, MIDDLE, searched_for_host(h), 0, pick)
  ==>
  begin
    guest_signs(g, guests[g].expects, MIDDLE, searched_for_host(h), 0, pick);
  end;
end;

-- One of the two guests does, which keeps the states few.
ruleset g: Guest do
  rule "the guest calls again, with another blind"
    g = G1 & guests[g].phase = WAITING & guests[g].call < CALLS
  ==>
  begin
    guests[g].call := guests[g].call + 1;
  end;
end;

-- What the host checks of it (4.1, 4.22).
function host_takes(h: Host; identity: Person; key: Drawer; pick: Pick): boolean;
begin
  return (pick = 0 | terms_of(h) = 0)
    & key != h & (!REMATCH_IDENTITY | world != REMATCH | h = H1 | identity = hosts[h].expects);
end;

function has_sign_for_host(h: Host; identity: Person; key: Drawer; nonce: GuestNonce; blind: Blind;
  pick: Pick): boolean;
var
  match: Match;
begin
  match.guest.identity := identity;
  match.guest.key := key;
  match.guest.nonce := nonce;
  match.guest.blind := blind;
  match.host.identity := owner(h);
  match.host.key := h;
  if h = H1 then match.host.nonce := ANSWER_H1; else match.host.nonce := ANSWER_H2; end;
  match.host.terms := terms_of(h);
  match.pick := pick;
  return is_signed_as_guest(match, identity, key);
end;

procedure host_begins(h: Host; identity: Person; key: Drawer; nonce: GuestNonce; blind: Blind; pick: Pick);
begin
  hosts[h].phase := BEGUN;
  hosts[h].match.guest.identity := identity;
  hosts[h].match.guest.key := key;
  hosts[h].match.guest.nonce := nonce;
  hosts[h].match.guest.blind := blind;
  hosts[h].match.host.identity := owner(h);
  hosts[h].match.host.key := h;
  if h = H1 then hosts[h].match.host.nonce := ANSWER_H1; else hosts[h].match.host.nonce := ANSWER_H2; end;
  hosts[h].match.host.terms := terms_of(h);
  hosts[h].match.pick := pick;
end;

-- The HELLO of a guest as a host sees it if the middle has altered one thing.
function said_identity(g: Guest; altered: AlteredOfGuest): Person;
begin
  if altered = GUEST_IDENTITY then return MIDDLE; end;
  return owner(g);
end;

function said_key(g: Guest; altered: AlteredOfGuest): Drawer;
begin
  if altered = GUEST_KEY then return MIDDLE; end;
  return g;
end;

function said_blind(g: Guest; call: Call; altered: AlteredOfGuest): Blind;
begin
  if altered = GUEST_BLIND then return 0; end;
  return blind_of(g, call);
end;

function said_nonce(g: Guest): GuestNonce;
begin
  if g = G1 then return OF_G1; end;
  return OF_G2;
end;

-- A host answers every HELLO until it has begun, the same one always in the same way (4.1).  What it has answered needs
-- no place in the state, because the middle can have the answer again: HELLO and SIGN of the guest are one step here.
-- A HELLO may be that of a call that is over.
ruleset h: Host; g: Guest; call: Call; altered: AlteredOfGuest; pick: Pick do
  rule "the host takes HELLO and SIGN of a guest, which the middle may have altered, sends SIGN and has begun"
    hosts[h].phase = WAITING & call <= guests[g].call & passes(g, h)
    & (altered = GUEST_NOTHING | knows_secret(h))
    & host_takes(h, said_identity(g, altered), said_key(g, altered), pick)
    & knows_blind(said_blind(g, call, altered))
    & has_sign_for_host(h, said_identity(g, altered), said_key(g, altered), said_nonce(g),
      said_blind(g, call, altered), pick)
  ==>
  begin
    host_begins(h, said_identity(g, altered), said_key(g, altered), said_nonce(g), said_blind(g, call, altered), pick);
  end;
end;

-- The middle may name any identity and any key, and repeat a blind that somebody else has fixed.
ruleset h: Host; identity: Person; key: Drawer; blind: Blind; pick: Pick do
  rule "the host takes HELLO and SIGN of the middle, sends SIGN and has begun"
    hosts[h].phase = WAITING & knows_secret(h) & is_awake(key)
    & host_takes(h, identity, key, pick)
    & knows_blind(blind)
    & has_sign_for_host(h, identity, key, INVENTED, blind, pick)
  ==>
  begin
    host_begins(h, identity, key, INVENTED, blind, pick);
  end;
end;

ruleset h: Host; g: Guest; pick: Pick do
  rule "the host takes HELLO and SIGN of the middle that were searched for, sends SIGN and has begun"
    hosts[h].phase = WAITING & knows_secret(h) & may_aim_at_guest(g)
    & host_takes(h, MIDDLE, MIDDLE, pick)
  ==>
  begin
    host_begins(h, MIDDLE, MIDDLE, searched_for_guest(g), 0, pick);
  end;
end;

ruleset g: Guest do
  rule "the guest takes the host's SIGN and has begun"
    guests[g].phase = SIGNED
    & is_signed_as_host(guests[g].match, guests[g].match.host.identity, guests[g].match.host.key)
  ==>
  begin
    guests[g].phase := BEGUN;
  end;
end;

----------------------------------------------------------------------------------------------------------------------
-- Rematch (4.22): after the match each takes the player of the match before, whoever that is.  The secret of both
-- BEGINs takes the place of the invite's; the middle knows it where they were the player, or where TLS has not kept it.

rule "the guest wants a rematch"
  world = REMATCH & guests[G1].phase = BEGUN & guests[G2].phase = IDLE
==>
begin
  guests[G2].phase := WAITING;
  guests[G2].expects := guests[G1].match.host.identity;
  if guests[G2].expects = MIDDLE then guests[G2].invite := 0; else guests[G2].invite := H2; end;
end;

rule "the host wants a rematch"
  world = REMATCH & hosts[H1].phase = BEGUN & hosts[H2].phase = IDLE
==>
begin
  hosts[H2].phase := WAITING;
  hosts[H2].expects := hosts[H1].match.guest.identity;
  if hosts[H2].expects = MIDDLE then hosts[H2].read := true; end;
end;

----------------------------------------------------------------------------------------------------------------------
-- RESUME (4.10): a line has one CALL, and its nonce is its number.

function is_guest(line: Line): boolean;
begin
  return line <= 2;
end;

-- A guest sends its RESUME as soon as it knows the other's nonce; a host sends it when it has taken the guest's.
function has_resumed(line: Line): boolean;
begin
  if is_guest(line) then return lines[line].asked != 0; end;
  return lines[line].peer != 0;
end;

-- The channel: 1 is Ben's certificate, 0 the middle's.
function channel(line: Line): 0..1;
begin
  if lines[line].detour then return 0; end;
  return 1;
end;

-- A CALL is not signed: the middle can say any nonce but the line's own (mirror).
ruleset line: Line; nonce: 1..5 do
  rule "CALL comes"
    world = LINES & lines[line].asked = 0 & nonce != line
  ==>
  begin
    lines[line].asked := nonce;
  end;
end;

ruleset line: Line; peer: Line do
  rule "RESUME of the other's program comes, on whichever line it was sent"
    world = LINES & lines[line].asked != 0 & lines[line].peer = 0
    & is_guest(line) != is_guest(peer) & has_resumed(peer)
    & (!RESUME_NAMES_MATCH | lines[peer].match = lines[line].match)
    -- The middle's own match has the middle's keys: what Alice or Ben has signed in it is for no other player.
    & (!RESUME_NAMES_MATCH | lines[line].match != 0)
    & (!RESUME_OWN_NONCE | lines[peer].asked = line)
    & (!RESUME_THEIR_NONCE | lines[line].asked = peer)
    & (!RESUME_CHANNEL | channel(peer) = channel(line))
  ==>
  begin
    lines[line].peer := peer;
  end;
end;

ruleset line: Line do
  rule "RESUME of the middle comes, in the middle's own match"
    world = LINES & lines[line].asked != 0 & lines[line].peer = 0 & lines[line].match = 0
  ==>
  begin
    lines[line].peer := 5;
  end;
end;

----------------------------------------------------------------------------------------------------------------------
-- How it begins

procedure clear_all();
begin
  for g: Guest do
    guests[g].phase := IDLE;
    guests[g].call := 1;
    guests[g].invite := 0;
    guests[g].expects := MIDDLE;
    guests[g].detour := false;
    guests[g].twice := false;
    guests[g].match.guest.identity := MIDDLE;
    guests[g].match.guest.key := MIDDLE;
    guests[g].match.guest.nonce := INVENTED;
    guests[g].match.guest.blind := 0;
    guests[g].match.host.identity := MIDDLE;
    guests[g].match.host.key := MIDDLE;
    guests[g].match.host.nonce := MADE_UP;
    guests[g].match.host.terms := 0;
    guests[g].match.pick := 0;
  end;
  for h: Host do
    hosts[h].phase := IDLE;
    hosts[h].read := false;
    hosts[h].expects := MIDDLE;
    hosts[h].match := guests[G1].match;
  end;
  for line: Line do
    lines[line].match := 0;
    lines[line].detour := false;
    lines[line].asked := 0;
    lines[line].peer := 0;
  end;
end;

-- Each guest follows the true invite or one that the middle has made; the middle has read the true one or not; and the
-- guest's connection ends at the host or at the middle.
ruleset crossed: boolean; first: boolean; second: boolean; read: boolean; detour: boolean do
  startstate "two invites"
  begin
    clear_all();
    if crossed then world := CROSSED; else world := INVITES; end;
    for g: Guest do
      guests[g].phase := WAITING;
      guests[g].detour := detour;
      hosts[g + 2].phase := WAITING;
      hosts[g + 2].read := read;
      if (g = G1 & first) | (g = G2 & second) then
        guests[g].invite := g + 2;
        guests[g].expects := owner(g + 2);
      end;
    end;
  end;
end;

-- As above for the first match; the line on which the rematch is agreed has been kept secret by TLS, or has not.
ruleset first: boolean; read: boolean; read_begin: boolean; detour: boolean do
  startstate "a match and its rematch"
  begin
    clear_all();
    world := REMATCH;
    guests[G1].phase := WAITING;
    guests[G1].detour := detour;
    guests[G2].detour := detour;
    hosts[H1].phase := WAITING;
    hosts[H1].read := read;
    hosts[H2].read := read_begin;
    if first then
      guests[G1].invite := H1;
      guests[G1].expects := owner(H1);
    end;
  end;
end;

-- Two lines at Alice's and two at Ben's; the first of each belongs to match 1.
ruleset alice: Played; ben: Played; first: boolean; second: boolean do
  startstate "lines of matches that have begun"
  begin
    clear_all();
    world := LINES;
    lines[1].match := 1;
    lines[2].match := alice;
    lines[3].match := 1;
    lines[4].match := ben;
    lines[1].detour := first;
    lines[2].detour := second;
  end;
end;

----------------------------------------------------------------------------------------------------------------------
-- What must hold

-- 4.1: a guest that has begun with somebody's identity has begun the match that their program has begun, to the last
-- field: keys, terms, seats and connection.
invariant "guest agrees with host"
  forall g: Guest do
    guests[g].phase != BEGUN | guests[g].match.host.identity = MIDDLE
    | exists h: Host do
        owner(h) = guests[g].match.host.identity & hosts[h].phase = BEGUN & hosts[h].match = guests[g].match
        & !guests[g].detour
      end
  end;

-- 4.1: a host that has begun with somebody's identity has begun the match that their program has signed.
invariant "host agrees with guest"
  forall h: Host do
    hosts[h].phase != BEGUN | hosts[h].match.guest.identity = MIDDLE
    | exists g: Guest do
        owner(g) = hosts[h].match.guest.identity & has_signed(g)
        & guests[g].match = hosts[h].match & !guests[g].detour
      end
  end;

-- 3.2: beside the middle's identity stands the middle's key, never one with which an honest program signs.
invariant "a match key belongs to the identity beside it"
  (forall g: Guest do
    guests[g].phase != BEGUN | guests[g].match.host.identity != MIDDLE | guests[g].match.host.key = MIDDLE
  end)
  & (forall h: Host do
    hosts[h].phase != BEGUN | hosts[h].match.guest.identity != MIDDLE | hosts[h].match.guest.key = MIDDLE
  end);

-- 4.1: who reads the same words plays one match, with the keys of the two and nobody's between.
invariant "equal words only for equal keys"
  forall g: Guest do
    forall h: Host do
      guests[g].phase != BEGUN | hosts[h].phase != BEGUN | !same_words(g, h) | guests[g].match = hosts[h].match
    end
  end;

-- 3.5: a match id stands for one match and one guest and host, so a signature over it binds nobody to a second match.
invariant "no signature binds a seat to two matches"
  (!has_signed(G1) | !has_signed(G2) | !same_id(guests[G1].match, guests[G2].match))
  & (hosts[H1].phase != BEGUN | hosts[H2].phase != BEGUN | !same_id(hosts[H1].match, hosts[H2].match));

-- 4.1, 4.10: however often a guest calls, its match key signs one match id.
invariant "a match key signs one match"
  forall g: Guest do !guests[g].twice end;

-- 4.1: an invite that nobody else has read brings nobody else.
invariant "only who has the invite becomes the guest"
  forall h: Host do
    hosts[h].phase != BEGUN | hosts[h].read
    | exists g: Guest do guests[g].invite = h & hosts[h].match.guest.key = g end
  end;

-- 3.17: a guest plays with who made the invite.
invariant "a guest plays with whom the invite names"
  forall g: Guest do guests[g].phase != BEGUN | guests[g].match.host.identity = guests[g].expects end;

-- 4.22: a rematch has the two players of the match before, another match id, and the seats exchanged.
invariant "a rematch has the same two players"
  world != REMATCH
  | ((hosts[H2].phase != BEGUN
      | (hosts[H2].match.guest.identity = hosts[H1].match.guest.identity & !same_id(hosts[H1].match, hosts[H2].match)))
    & (guests[G2].phase != BEGUN
      | (guests[G2].match.host.identity = guests[G1].match.host.identity
        & !same_id(guests[G1].match, guests[G2].match) & guests[G2].match.host.terms = 1)));

-- 4.10: a line that was taken has at its other end the other's program, on a line of the same match that has the same
-- two nonces and the same certificate; if that is the host's, the host has taken this very line.
invariant "a resumed line is the line"
  forall line: Line do
    forall peer: Line do
      lines[line].peer != peer
      | (lines[peer].match = lines[line].match & lines[peer].asked = line & lines[line].asked = peer
        & channel(peer) = channel(line) & (!is_guest(line) | lines[peer].peer = line))
    end
  end;

-- 4.10: no line is taken twice.
invariant "a line has one other end"
  forall peer: Line do
    forall one: Line do
      forall two: Line do one = two | lines[one].peer != peer | lines[two].peer != peer end
    end
  end;

----------------------------------------------------------------------------------------------------------------------
-- What must be possible, so that nothing above holds only because nothing happens

cover "two honest programs begin a match"
  exists g: Guest do exists h: Host do
    guests[g].phase = BEGUN & hosts[h].phase = BEGUN & guests[g].match = hosts[h].match
  end end;

cover "both invites become matches"
  forall g: Guest do guests[g].phase = BEGUN & owner(g) != guests[g].match.host.identity
    & guests[g].match.host.identity != MIDDLE end;

cover "the middle plays with both"
  guests[G1].phase = BEGUN & hosts[H1].phase = BEGUN
  & guests[G1].match.host.identity = MIDDLE & hosts[H1].match.guest.identity = MIDDLE;

cover "a rematch is played"
  world = REMATCH & guests[G2].phase = BEGUN & hosts[H2].phase = BEGUN & guests[G2].match = hosts[H2].match;

cover "the middle has a rematch, too"
  world = REMATCH & guests[G2].phase = BEGUN & guests[G2].match.host.identity = MIDDLE;

cover "two lines of two matches are up"
  lines[1].peer = 3 & lines[3].peer = 1 & lines[2].peer = 4 & lines[4].peer = 2 & lines[2].match = 2;
