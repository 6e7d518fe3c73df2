-- Removes everything Holdfast keeps in a MariaDB or MySQL database: all locks, their history, and the memory of the last
-- tokens. Only when no process uses it. A view of these names that is not Holdfast's is yours to keep: leave its line out.
drop view if exists distributed_locks;
drop view if exists database_lock;
drop table if exists holdfast_fence;
drop table if exists holdfast_event;
drop table if exists holdfast_lock;
drop table if exists holdfast_meta;
