-- Removes all documents that Holdfast keeps, with their contents. In SQLite they are in a file of their own (locks-documents.db).
drop table if exists holdfast_document;
drop table if exists holdfast_content;
