-- Holdfast's tables in a MariaDB or MySQL database, version 1. Created on start. All times are UTC.
-- On MySQL write utf8mb4_0900_bin for utf8mb4_nopad_bin: both compare code points, and count spaces at the end of a name.

-- One row per lock. 'body' is the record (holders and waiters, JSON, times in microseconds since 1970) and is what counts.
-- owner, token and the three times repeat its first holder for people. 'stamp' changes with every write and is what a write
-- compares, 'fence' is the last fencing token, 'past' remembers ended leases, 'busy' is 1 while anybody holds or waits.
create table holdfast_lock (
    id          bigint       not null auto_increment,
    namespace   varchar(64)  character set ascii collate ascii_bin not null,
    name        varchar(512) character set utf8mb4 collate utf8mb4_nopad_bin not null,
    stamp       bigint       not null,
    fence       bigint       not null,
    format      integer      not null,
    busy        tinyint      not null,
    owner       text,
    token       bigint,
    acquired_at datetime(6),
    renewed_at  datetime(6),
    expires_at  datetime(6),
    body        longtext     not null,
    past        longtext     not null,
    primary key (namespace, name),
    unique key holdfast_lock_id (id),
    key holdfast_lock_busy (busy, namespace, name)
) engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_bin;

-- The history, written in the same transaction as the lock. 'lease' is a fingerprint, never the lease id,
-- 'path' has one path per line, empty for the whole lock, 'lasted_us' is how long it waited or held, in microseconds.
-- Numbers grow with time, so a time is found by number and needs no index. Add one on (namespace, name, number) if you
-- often read the history of single locks: it is left out because every lock would pay for it.
create table holdfast_event (
    number    bigint       not null auto_increment,
    at        datetime(6)  not null,
    type      varchar(32)  not null,
    namespace varchar(64)  character set ascii collate ascii_bin not null,
    name      varchar(512) character set utf8mb4 collate utf8mb4_nopad_bin not null,
    path      text         not null,
    mode      varchar(32)  not null,
    lease     varchar(32)  not null,
    owner     text         not null,
    token     bigint       not null,
    lasted_us bigint       not null,
    actor     text         not null,
    reason    text         not null,
    metadata  longtext,
    request   text         not null,
    primary key (number)
) engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_bin;

-- The highest token that wrote under a lock or a part of it, raised by transactions that check theirs (FencedJdbc).
-- The path itself is too long for a key, so its hash stands for it.
create table holdfast_fence (
    namespace varchar(64)  character set ascii collate ascii_bin not null,
    name      varchar(512) character set utf8mb4 collate utf8mb4_nopad_bin not null,
    path      varchar(600) character set utf8mb4 collate utf8mb4_nopad_bin not null,
    path_hash char(64)     character set ascii collate ascii_bin as (sha2(path, 256)) stored,
    token     bigint       not null,
    unique key (namespace, name, path_hash)
) engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_bin;

-- 'schema': the version of these tables, written when all are there; 'views': that of the views.
create table holdfast_meta (
    name  varchar(64) not null,
    value text        not null,
    primary key (name)
) engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_bin;

insert into holdfast_meta (name, value) values ('schema', '1'), ('views', '3');

-- Who holds which whole lock alone: one row per lock, and every lock_name once. A label in the holder's metadata names it, else
-- the lock's name, outside the namespace 'default' behind that namespace. A name that would mean two locks is used for none of
-- them: they are shown as '[namespace] name'.
create view database_lock as
with held as (
    select l.id as id, l.namespace as namespace, l.name as name, h.owner as owner, h.granted as granted, h.expires as expires,
           convert(h.label using utf8mb4) collate utf8mb4_nopad_bin as label,
           convert(case l.namespace when 'default' then l.name else concat(l.namespace, ':', l.name) end using utf8mb4)
               collate utf8mb4_nopad_bin as plain
    from holdfast_lock l,
         json_table(if(json_valid(l.body), l.body, '{}'), '$.holds[*]' columns (
             owner   varchar(512)  character set utf8mb4 path '$.owner',
             mode    varchar(32)   character set utf8mb4 path '$.mode',
             part    varchar(512)  character set utf8mb4 path '$.paths[0]',
             label   varchar(4096) character set utf8mb4 path '$.metadata.label',
             granted bigint path '$.granted_at',
             expires bigint path '$.expires_at')) as h
    where l.busy = 1
      and h.mode = 'exclusive'
      and h.part is null
), names as (
    select n.shown as shown, min(n.id) = max(n.id) and left(n.shown, 1) <> '[' as clear
    from (select plain as shown, id from held union all select label, id from held where label is not null) as n
    group by n.shown
)
select h.id as id,
       case when l.clear then h.label when p.clear then h.plain
            else concat('[', h.namespace, '] ', h.name) end as lock_name,
       h.owner as process_id,
       timestamp '1970-01-01 00:00:00.000000' + interval h.granted microsecond as acquired_at,
       timestamp '1970-01-01 00:00:00.000000' + interval h.expires microsecond as expires_at
from held h
     join names p on p.shown = h.plain
     left join names l on l.shown = h.label;

-- Who holds what: one row per holder, of whole locks and of parts ('name/path'). Names as above; where they would mean two
-- things, parts are shown as '[namespace#id of the lock] name/path'. So a lock_name has one holder, unless it is shared.
-- Names of many parts that are longer than the server's group_concat_max_len are cut off, and end with what tells them apart.
create view distributed_locks as
with parts as (
    select l.id * 1000 + h.place - 1 as id,
           l.id as record,
           max(l.namespace) as namespace,
           max(l.name) as name,
           max(case l.namespace when 'default' then l.name else concat(l.namespace, ':', l.name) end) as called,
           max(h.path) is null as whole,
           max(md5(json_extract(l.body, concat('$.holds[', h.place - 1, '].paths')))) as paths,
           convert(max(h.label) using utf8mb4) collate utf8mb4_nopad_bin as label,
           group_concat(concat(l.name, '/', h.path) order by h.nth separator ', ') as own,
           sum(char_length(l.name) + char_length(h.path) + 3) - 2 as own_length,
           group_concat(concat(case l.namespace when 'default' then l.name
                               else concat(l.namespace, ':', l.name) end, '/', h.path)
                        order by h.nth separator ', ') as plain,
           sum(char_length(case l.namespace when 'default' then l.name else concat(l.namespace, ':', l.name) end)
               + char_length(h.path) + 3) - 2 as plain_length,
           max(h.owner) as owner,
           max(h.phase) as phase,
           max(h.granted) as granted,
           coalesce(max(h.renewed), max(h.granted)) as renewed,
           max(h.expires) as expires
    from holdfast_lock l,
         json_table(if(json_valid(l.body), l.body, '{}'), '$.holds[*]' columns (
             place   for ordinality,
             owner   varchar(512)  character set utf8mb4 path '$.owner',
             phase   varchar(32)   character set utf8mb4 path '$.phase',
             label   varchar(4096) character set utf8mb4 path '$.metadata.label',
             granted bigint path '$.granted_at',
             renewed bigint path '$.renewed_at',
             expires bigint path '$.expires_at',
             nested path '$.paths[*]' columns (
                 nth  for ordinality,
                 path varchar(512) character set utf8mb4 path '$'))) as h
    where l.busy = 1
    group by l.id, h.place
), held as (
    select id, record, namespace, whole, label, owner, phase, granted, renewed, expires,
           concat(record, ' ', case when whole then '' else paths end) as thing,
           case when whole then name
                when char_length(own) < own_length then concat(own, '... ', paths)
                else own end as own,
           convert(case when whole then called
                        when char_length(plain) < plain_length then concat(plain, '... ', paths)
                        else plain end using utf8mb4) collate utf8mb4_nopad_bin as plain
    from parts
), names as (
    select n.shown as shown, min(n.thing) = max(n.thing) and left(n.shown, 1) <> '[' as clear
    from (select plain as shown, thing from held union all select label, thing from held where label is not null) as n
    group by n.shown
)
select h.id as id,
       case when l.clear then h.label when p.clear then h.plain
            else concat('[', h.namespace, case when h.whole then '' else concat('#', h.record) end, '] ', h.own)
            end as lock_name,
       h.owner as pod_id,
       timestamp '1970-01-01 00:00:00.000000' + interval h.granted microsecond as acquired_at,
       timestamp '1970-01-01 00:00:00.000000' + interval h.expires microsecond as expires_at,
       timestamp '1970-01-01 00:00:00.000000' + interval h.renewed microsecond as renewed_at,
       h.phase is null
           and timestamp '1970-01-01 00:00:00.000000' + interval h.expires microsecond > utc_timestamp(6) as is_active,
       timestamp '1970-01-01 00:00:00.000000' + interval h.granted microsecond as created_at,
       timestamp '1970-01-01 00:00:00.000000' + interval h.renewed microsecond as updated_at
from held h
     join names p on p.shown = h.plain
     left join names l on l.shown = h.label;
