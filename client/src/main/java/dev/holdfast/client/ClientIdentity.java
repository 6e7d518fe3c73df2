package dev.holdfast.client;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The certificate a client shows to a server that asks for one. Both files are read again for a new connection when they have changed, so
 * that a certificate can be renewed while the client runs.
 *
 * @param certificate PEM, the client's own certificate first, then those that signed it
 * @param key its private key, PEM (PKCS#8), RSA or EC, not encrypted
 */
public record ClientIdentity(Path certificate, Path key) {
    /**
     * What both files are, if they are named.
     *
     * @param what what they are called, for the message if only one is
     */
    public static Optional<ClientIdentity> of(Optional<Path> certificate, Optional<Path> key, String what) {
        if (certificate.isPresent() != key.isPresent()) {
            throw new IllegalArgumentException(what + " are only useful together");
        }
        return certificate.map(file -> new ClientIdentity(file, key.orElseThrow()));
    }
}
