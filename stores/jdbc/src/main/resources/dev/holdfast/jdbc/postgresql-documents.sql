-- Holdfast's documents in a PostgreSQL schema. Created on start, in the first schema of the search path.

-- One row per document. 'leaf' is the last segment of the name, 'tag' changes with every write and is what a write compares,
-- 'attributes' has a line name=value for each, 'content' is the id of the bytes, empty if there are none.
create table if not exists holdfast_document (
    name       text collate "C" not null primary key,
    leaf       text collate "C" not null,
    tag        text             not null,
    size       bigint           not null,
    attributes text             not null,
    content    text collate "C" not null
);

create index if not exists holdfast_document_leaf on holdfast_document (leaf, name);

-- The bytes, each different content once: 'id' is its SHA-256, 'uses' how many documents have it. Not compressed, so that a
-- part can be read without the rest.
create table if not exists holdfast_content (
    id    text collate "C" not null primary key,
    uses  bigint           not null,
    bytes bytea            not null
);

alter table holdfast_content alter column bytes set storage external;
