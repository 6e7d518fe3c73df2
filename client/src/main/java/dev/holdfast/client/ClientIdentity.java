package dev.holdfast.client;

import java.nio.file.Path;

/**
 * The certificate a client shows to a server that asks for one. Both files are read again for a new connection when they have changed, so
 * that a certificate can be renewed while the client runs.
 *
 * @param certificate PEM, the client's own certificate first, then those that signed it
 * @param key its private key, PEM (PKCS#8), RSA or EC, not encrypted
 */
public record ClientIdentity(Path certificate, Path key) {}
