package dev.holdfast.client;

import dev.holdfast.internal.parts.PemCertificates;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows one certificate, as its files have it when a connection is opened. Files that are wrong then leave the one before in use. */
final class IdentityKeys extends X509ExtendedKeyManager {
    private static final Logger LOG = LoggerFactory.getLogger(IdentityKeys.class);
    private static final String ALIAS = "client";
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";

    private final ClientIdentity files;
    private volatile LoadedKeys loaded;

    /** What was in the files, and when they had been written. */
    private record LoadedKeys(List<X509Certificate> chain, PrivateKey key, List<Long> written) {}

    /**
     * Reads both files.
     *
     * @throws IllegalArgumentException saying which is wrong, and how
     */
    IdentityKeys(ClientIdentity files) {
        this.files = files;
        this.loaded = load(files);
    }

    private LoadedKeys current() {
        try {
            if (!written(files).equals(loaded.written())) {
                loaded = load(files);
            }
        } catch (IllegalArgumentException e) { // perhaps one of the two is written yet; the next connection looks again
            LOG.warn("The changed client certificate is not used yet, the previous one stays: {}", e.getMessage());
        }
        return loaded;
    }

    private static LoadedKeys load(ClientIdentity files) {
        List<Long> written = written(files); // before reading: what changes meanwhile is read again
        List<X509Certificate> chain = chain(files.certificate());
        PrivateKey key = key(files.key(), chain.get(0).getPublicKey().getAlgorithm());
        return new LoadedKeys(chain, key, written);
    }

    private static List<Long> written(ClientIdentity files) {
        return List.of(written(files.certificate()), written(files.key()));
    }

    private static long written(Path file) {
        try {
            return Files.getLastModifiedTime(file).toMillis();
        } catch (IOException e) {
            throw new IllegalArgumentException("'" + file + "' cannot be read: " + e, e);
        }
    }

    private static List<X509Certificate> chain(Path file) {
        try {
            List<X509Certificate> chain = PemCertificates.read(Files.readAllBytes(file));
            if (chain.isEmpty()) {
                throw new IllegalArgumentException("'" + file + "' has no certificate (BEGIN CERTIFICATE) in it");
            }
            return chain;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("the client certificate cannot be read from '" + file + "': " + e, e);
        }
    }

    /** What is wrong with it is not repeated: the file is a secret. */
    private static PrivateKey key(Path file, String algorithm) {
        try {
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            int begin = text.indexOf(BEGIN);
            int end = text.indexOf(END);
            if (begin < 0 || end < begin) {
                throw new IllegalArgumentException("'" + file + "' has no private key in PKCS#8 (BEGIN PRIVATE KEY)."
                        + " Convert another form with: openssl pkcs8 -topk8 -nodes -in <file> -out <new file>");
            }
            byte[] bytes = Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end));
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
        } catch (IOException e) {
            throw new IllegalArgumentException("the client key cannot be read from '" + file + "': " + e, e);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the client key in '" + file
                    + "' does not belong to the certificate, or is damaged (it must be " + algorithm + ")");
        }
    }

    // ---- what TLS asks

    private @Nullable String alias(String[] types) {
        String own = current().key().getAlgorithm();
        return Arrays.stream(types).anyMatch(type -> type.equals(own) || type.startsWith(own + "_")) ? ALIAS : null;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(types);
    }

    @Override
    public @Nullable String chooseClientAlias(String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(types);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return loaded.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return loaded.key();
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
        return alias(new String[] {type}) == null ? null : new String[] {ALIAS};
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
        return null; // it is no server
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
