-- Holdfast's documents in an SQLite file of their own, beside that of the locks: 'locks.db' has 'locks-documents.db'. Created on start.

-- One row per document. 'leaf' is the last segment of the name, 'tag' changes with every write and is what a write compares,
-- 'attributes' has a line name=value for each, 'content' is the id of the bytes, empty if there are none.
create table if not exists holdfast_document (
    name       text    not null primary key,
    leaf       text    not null,
    tag        text    not null,
    size       integer not null,
    attributes text    not null,
    content    text    not null
) without rowid;

create index if not exists holdfast_document_leaf on holdfast_document (leaf, name);

-- Whether anybody has a content.
create index if not exists holdfast_document_content on holdfast_document (content);

-- The bytes, each different content once: 'id' is its SHA-256. 'uses' is at least the number of documents that have it: it is raised
-- and not lowered, as SQLite would write all the bytes again.
create table if not exists holdfast_content (
    id    text    not null primary key,
    uses  integer not null,
    bytes blob    not null
);
