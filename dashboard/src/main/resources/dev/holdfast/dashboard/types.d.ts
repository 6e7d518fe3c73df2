/** What the server answers; the words are those of docs/REST.md. For the type checker only, never served. */

export type Mode = 'exclusive' | 'shared' | 'permit';

export interface Holder {
  owner: string;
  path: string;
  paths?: string[];
  mode: Mode;
  limit?: number;
  fencing_token: number;
  granted_at: string;
  renewed_at: string;
  expires_at: string | null;
  stale: boolean;
  metadata: Record<string, string>;
  reason: string;
}

export interface Waiter {
  owner: string;
  since: string;
  position: number;
  path: string;
  paths?: string[];
  mode: Mode;
  limit?: number;
}

export interface Lock {
  namespace: string;
  name: string;
  held: boolean;
  latest_token: number;
  holders: Holder[];
  waiters: Waiter[];
  server_time: string;
}

export interface LockEvent {
  timestamp: string;
  level: 'INFO' | 'WARN';
  event: string;
  event_id: number;
  namespace: string;
  name: string;
  path: string;
  lock_key: string;
  lock_id: string;
  fencing_token: number | null;
  owner: string;
  actor: string;
  reason: string | null;
  waited_ms: number | null;
  held_ms: number | null;
  metadata: Record<string, string>;
  request_id: string | null;
}

export interface Caller {
  principal: string;
  authenticated_by: string | null;
  group: string | null;
  roles: Record<string, string[]>;
}

export interface Health {
  status: 'UP' | 'DOWN';
  reason?: string;
  node: string;
  store: string;
  store_latency_ms?: number;
  clock_error_ms?: number;
}

/** A lock by its two names. */
export interface LockName {
  namespace: string;
  name: string;
}

export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'paused';

// ---- overview and list

/** A lock that is worth a look. */
export interface OverviewLock {
  holders: number;
  waiters: number;
  waiting_ms: number;
  longest_wait_ms: number;
  lock: Lock;
}

export type Line = (number | null)[];

export interface Overview {
  server_time: string;
  health: Health;
  locks: {busy: number; held: number; holders: number; waiting: number; stale: number; expiring: number; longest_wait_ms: number; complete: boolean};
  hottest: OverviewLock[];
  stale: OverviewLock[];
  long_waits: OverviewLock[];
  expiring: OverviewLock[];
  activity: {
    known_from: string;
    step_ms: number;
    grants_per_second: number;
    wait_p99_ms: number;
    lines: {held: Line; waiting: Line; grants_per_second: Line; wait_p99_ms: Line};
  } | null;
  events: LockEvent[];
  warnings: LockEvent[];
}

export interface LockPage {
  items: Lock[];
  next_cursor: string | null;
  total?: number;
  total_complete?: boolean;
  namespaces?: {namespace: string; locks: number}[];
}

/** Which locks a list shows; empty means any. */
export interface LockFilter {
  q: string;
  namespace: string;
  owner: string;
  state: string;
  mode: string;
  order: string;
}

/** Which part of the history is wanted; empty means any. */
export interface HistoryFilter {
  namespace: string;
  name: string;
  prefix: string;
  owner: string;
  actor: string;
  events: string[];
  from: string;
  to: string;
}

/** A hold, or a wait, in time. */
export interface TimeBar {
  key: string;
  from: number;
  /** null while it lasts */
  to: number | null;
  how: string;
  owner: string;
  reason: string;
  token: number | null;
  /** before it was held, in milliseconds */
  waited: number;
  path: string;
  /** who ended it by force */
  by: string;
}

/** A lock, and what happened to it within a window. */
export interface TimeLane {
  id: string;
  lock: LockName;
  bars: TimeBar[];
  held: number;
  waited: number;
  longest: number;
  heat: number;
  rows: Map<string, number>;
  depth: number;
}

/** How times become places: x of `anchor` is 0. */
export interface TimeScale {
  anchor: number;
  perMs: number;
  width: number;
}

/** A stack in an environment, as the listing has it. */
export interface StackItem {
  stack: string;
  environment: string;
  version: string | null;
  serial: number | null;
  size: number;
  saved_at: string | null;
  locked: boolean;
  lock: {Who: string; Operation: string; Created: string; stale: boolean} | null;
}

/** A saved version of state. */
export interface StateVersion {
  version: string;
  serial: number;
  lineage: string | null;
  saved_at: string;
  by: string;
  size: number;
  sha256: string;
  operation: string;
  lock_id: string | null;
  fencing_token: number;
}

/** How much differs between two versions. */
export interface DiffSummary {
  added: number;
  changed: number;
  removed: number;
  others: number;
  complete: boolean;
}

export interface DiffAttribute {
  path: string;
  before: string | null;
  after: string | null;
  sensitive: boolean;
}

export interface DiffChange {
  address: string;
  kind: 'added' | 'removed' | 'changed';
  attributes: DiffAttribute[];
  complete: boolean;
}

export interface StateDiff {
  from: string;
  to: string;
  summary: DiffSummary;
  changes: DiffChange[];
  complete: boolean;
}

/** What a check of all versions found. */
export interface Verification {
  good: boolean;
  checked: number;
  damaged: {version: string; current: boolean; problem: string}[];
  last_good: string | null;
}

// ---- the guard

export type Answer = 'up' | 'down' | 'refused' | 'unclear' | 'no_answer';
export type Standing = 'needs' | 'doubtful' | 'failing' | 'confirming' | 'gone';
export type Decided = 'stopped' | 'skipped_shared_active' | 'skipped_unknown' | 'skipped_lock' | 'pending' | 'started' | 'needed';

export interface AppAnswer {
  answer: Answer;
  http_code: number | null;
  at: string;
  detail: string;
}

export interface GuardEvidence {
  app: string;
  status: 'UP' | 'DOWN' | 'UNKNOWN' | 'STARTING';
  http_code: number | null;
  checked_at: string;
  standing: Standing | null;
}

export interface GuardDecision {
  db_identifier: string;
  decision: Decided;
  reason: string;
  evidence: GuardEvidence[];
  app: string;
  decided_at: string;
  fencing_token: number;
  recorded_only: boolean;
  act: {failed: boolean; said: string} | null;
}

export interface ResourceUser {
  app: string;
  status: 'UP' | 'DOWN' | 'UNKNOWN' | 'STARTING';
  http_code: number | null;
  checked_at: string | null;
  desired: 'auto' | 'running' | 'stopped';
  standing: Standing | null;
  down_after_ms: number | null;
  down_at: string | null;
  since: string | null;
  answers: AppAnswer[];
}

export interface Resource {
  db_identifier: string;
  types: string[];
  state: 'running' | 'stopping' | 'stopped' | 'starting' | 'unknown';
  actuator: string;
  recorded_only: boolean;
  needed_by: string[];
  same_as: string[];
  apps: ResourceUser[];
  intents: {requested_by: string; since: string}[];
  decisions: GuardDecision[];
  problems: string[];
}

export interface GuardApp {
  app: string;
  url: string;
  databases: {type: string; host: string | null; instance_id: string | null; actuator: string | null}[];
  desired: 'auto' | 'running' | 'stopped';
  starting_until: string | null;
}

/** What a server tells about itself. */
export interface ServerAbout {
  node: string;
  version: string;
  java: string;
  store: string;
  store_shared: boolean;
  metrics: boolean;
  started_at: string;
  uptime_ms: number;
}

export interface Setting {
  name: string;
  value: string;
  default: string;
  changed: boolean;
  masked: boolean;
  source: 'flag' | 'environment' | 'file' | 'default';
  origin: string;
  description: string;
  allowed: string;
}

export interface ApiToken {
  id: string;
  roles: Record<string, string[]>;
  group: string | null;
  source: 'stored' | 'configuration';
  created_at: string | null;
  created_by: string | null;
  expires_at: string | null;
  expired: boolean;
}
