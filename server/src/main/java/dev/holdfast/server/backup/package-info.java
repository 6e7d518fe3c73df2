/**
 * {@code GET /admin/backup}: everything the store keeps, in one file, while the server goes on. {@code BackupRoute} lets one be written at a
 * time; {@code ResponseStream} hands it to the client as fast as that takes it. What is in the file is decided in {@code
 * dev.holdfast.wire.backup}.
 */
@NullMarked
package dev.holdfast.server.backup;

import org.jspecify.annotations.NullMarked;
