-- Holdfast's tables in an SQLite file, version 1. Created on start.
-- All times are UTC, as '2026-11-15 22:54:03.123456'. Written to be read by old sqlite3 shells too.

-- One row per lock. 'body' is the record (holders and waiters, JSON, times in microseconds since 1970) and is what counts.
-- owner, token and the three times repeat its first holder for people. 'stamp' changes with every write and is what a write
-- compares, 'fence' is the last fencing token, 'past' remembers ended leases, 'busy' is 1 while anybody holds or waits.
create table holdfast_lock (
    id          integer primary key,
    namespace   text    not null,
    name        text    not null,
    stamp       integer not null,
    fence       integer not null,
    format      integer not null,
    busy        integer not null,
    owner       text,
    token       integer,
    acquired_at text,
    renewed_at  text,
    expires_at  text,
    body        text    not null,
    past        text    not null,
    unique (namespace, name)
);

create index holdfast_lock_busy on holdfast_lock (namespace, name) where busy = 1;

-- The history, written in the same transaction as the lock. 'lease' is a fingerprint, never the lease id,
-- 'path' has one path per line, empty for the whole lock, 'lasted_us' is how long it waited or held, in microseconds.
-- Numbers grow with time, so a time is found by number and needs no index. Nor is there one by lock: it would touch another
-- page for every lock in a batch, and halve the locks per second; a lock's history is read newest first until there is enough.
create table holdfast_event (
    number    integer primary key,
    at        text    not null,
    type      text    not null,
    namespace text    not null,
    name      text    not null,
    path      text    not null,
    mode      text    not null,
    lease     text    not null,
    owner     text    not null,
    token     integer not null,
    lasted_us integer not null,
    actor     text    not null,
    reason    text    not null,
    metadata  text,
    request   text    not null
);

-- The highest token that wrote under a lock or a part of it, raised by transactions that check theirs (FencedJdbc).
create table holdfast_fence (
    namespace text    not null,
    name      text    not null,
    path      text    not null,
    token     integer not null,
    primary key (namespace, name, path)
) without rowid;

-- 'schema': the version of these tables; 'views': that of the views. 'time': the store's time at the last write; it never
-- goes back. 'clock': which run of the machine, what its monotonic clock showed (ns), and the time then (us since 1970).
-- 'wall_correction': by how many seconds the machine's wall clock is to be corrected to show the store's time.
create table holdfast_meta (
    key   text primary key,
    value text not null
) without rowid;

insert into holdfast_meta (key, value) values ('schema', '1'), ('views', '3'), ('time', '1970-01-01 00:00:00.000000');

-- Who holds which whole lock alone: one row per lock, and every lock_name once. A label in the holder's metadata names it, else
-- the lock's name, outside the namespace 'default' behind that namespace. A name that would mean two locks is used for none of
-- them: they are shown as '[namespace] name'.
create view database_lock as
with held as (
    select l.id as id, l.namespace as namespace, l.name as name,
           json_extract(h.value, '$.metadata.label') as label,
           case l.namespace when 'default' then l.name else l.namespace || ':' || l.name end as plain,
           json_extract(h.value, '$.owner') as owner,
           json_extract(h.value, '$.granted_at') as granted,
           json_extract(h.value, '$.expires_at') as expires
    from holdfast_lock l, json_each(l.body, '$.holds') h
    where l.busy = 1
      and json_extract(h.value, '$.mode') = 'exclusive'
      and json_extract(h.value, '$.paths') is null
), names as (
    select shown, min(id) = max(id) and substr(shown, 1, 1) <> '[' as clear
    from (select plain as shown, id from held union all select label, id from held where label is not null)
    group by shown
)
select h.id as id,
       case when l.clear then h.label when p.clear then h.plain else '[' || h.namespace || '] ' || h.name end as lock_name,
       h.owner as process_id,
       strftime('%Y-%m-%d %H:%M:%S', h.granted / 1000000, 'unixepoch') || printf('.%06d', h.granted % 1000000) as acquired_at,
       strftime('%Y-%m-%d %H:%M:%S', h.expires / 1000000, 'unixepoch') || printf('.%06d', h.expires % 1000000) as expires_at
from held h
     join names p on p.shown = h.plain
     left join names l on l.shown = h.label;

-- Who holds what: one row per holder, of whole locks and of parts ('name/path'). Names as above; where they would mean two
-- things, parts are shown as '[namespace#id of the lock] name/path'. So a lock_name has one holder, unless it is shared.
create view distributed_locks as
with held as (
    select l.id * 1000 + h.key as id, l.id as record, l.namespace as namespace,
           json_extract(h.value, '$.paths') is null as whole,
           l.id || ' ' || coalesce(json_extract(h.value, '$.paths'), '') as thing,
           json_extract(h.value, '$.metadata.label') as label,
           coalesce((select group_concat(l.name || '/' || p.value, ', ') from json_each(h.value, '$.paths') p), l.name) as own,
           coalesce((select group_concat(base || '/' || p.value, ', ')
                     from (select case l.namespace when 'default' then l.name
                                                   else l.namespace || ':' || l.name end as base),
                          json_each(h.value, '$.paths') p),
                    case l.namespace when 'default' then l.name else l.namespace || ':' || l.name end) as plain,
           json_extract(h.value, '$.owner') as owner,
           json_extract(h.value, '$.phase') is null as held,
           json_extract(h.value, '$.granted_at') as granted,
           coalesce(json_extract(h.value, '$.renewed_at'), json_extract(h.value, '$.granted_at')) as renewed,
           json_extract(h.value, '$.expires_at') as expires
    from holdfast_lock l, json_each(l.body, '$.holds') h
    where l.busy = 1
), names as (
    select shown, min(thing) = max(thing) and substr(shown, 1, 1) <> '[' as clear
    from (select plain as shown, thing from held union all select label, thing from held where label is not null)
    group by shown
), timed as (
    select h.id as id,
           case when l.clear then h.label when p.clear then h.plain
                else '[' || h.namespace || case when h.whole then '' else '#' || h.record end || '] ' || h.own
                end as lock_name,
           h.owner as pod_id, h.held as held,
           strftime('%Y-%m-%d %H:%M:%S', h.granted / 1000000, 'unixepoch') || printf('.%06d', h.granted % 1000000) as acquired_at,
           strftime('%Y-%m-%d %H:%M:%S', h.renewed / 1000000, 'unixepoch') || printf('.%06d', h.renewed % 1000000) as renewed_at,
           strftime('%Y-%m-%d %H:%M:%S', h.expires / 1000000, 'unixepoch') || printf('.%06d', h.expires % 1000000) as expires_at
    from held h
         join names p on p.shown = h.plain
         left join names l on l.shown = h.label
)
select id, lock_name, pod_id, acquired_at, expires_at, renewed_at,
       held and expires_at > (select max(m.value, strftime('%Y-%m-%d %H:%M:%f000', 'now', coalesce(
                                  (select printf('%+d seconds', c.value) from holdfast_meta c where c.key = 'wall_correction'),
                                  '+0 seconds')))
                              from holdfast_meta m where m.key = 'time') as is_active,
       acquired_at as created_at,
       renewed_at as updated_at
from timed;
