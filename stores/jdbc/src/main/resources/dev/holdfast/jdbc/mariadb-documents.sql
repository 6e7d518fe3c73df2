-- Holdfast's documents in a MariaDB or MySQL database. Created on start.

-- One row per document. 'leaf' is the last segment of the name, 'tag' changes with every write and is what a write compares,
-- 'attributes' has a line name=value for each, 'content' is the id of the bytes, empty if there are none.
create table if not exists holdfast_document (
    name       varchar(700)  not null,
    leaf       varchar(200)  not null,
    tag        varchar(64)   not null,
    size       bigint        not null,
    attributes varchar(4000) not null,
    content    varchar(64)   not null,
    primary key (name),
    key holdfast_document_leaf (leaf, name)
) engine = InnoDB row_format = dynamic character set ascii collate ascii_bin;

-- The bytes, each different content once: 'id' is its SHA-256, 'uses' how many documents have it.
create table if not exists holdfast_content (
    id    varchar(64) not null,
    uses  bigint      not null,
    bytes longblob    not null,
    primary key (id)
) engine = InnoDB row_format = dynamic character set ascii collate ascii_bin;
