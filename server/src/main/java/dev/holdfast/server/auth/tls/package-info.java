/**
 * Certificates in files: {@code TlsFiles} is the server's own pair, {@code ClientCaFile} the authorities of its clients. Both look at their
 * files again while the server runs, and keep what they have if the new content cannot be used.
 */
@NullMarked
package dev.holdfast.server.auth.tls;

import org.jspecify.annotations.NullMarked;
