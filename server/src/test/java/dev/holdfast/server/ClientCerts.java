package dev.holdfast.server;

import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** An authority that signs certificates of clients, made by the JDK's own tool. */
final class ClientCerts {
    private static final String PASSWORD = "changeit";

    private final Path directory;
    private final String name;

    /** A new authority of this name. */
    ClientCerts(Path directory, String name) throws Exception {
        this.directory = directory;
        this.name = name;
        keytool(
                "-genkeypair -alias it -keyalg EC -groupname secp256r1 -validity 30 -ext bc:c=ca:true -dname CN="
                        + name,
                name);
    }

    /** Its own certificate, as PEM. */
    Path certificate() throws Exception {
        Path file = directory.resolve(name + ".pem");
        keytool("-exportcert -rfc -alias it -file " + file, name);
        return file;
    }

    /**
     * A client's context with a certificate it signed, trusting this server.
     *
     * @param subject such as {@code CN=ci,O=Acme}
     * @param options of the tool, such as {@code -ext san=dns:ci.acme} or {@code -startdate -1d+5S -validity 1}
     */
    SSLContext client(String file, String subject, String options, Path server) throws Exception {
        keytool("-genkeypair -alias it -keyalg EC -groupname secp256r1 -dname " + subject, file);
        Path request = directory.resolve(file + ".csr");
        Path signed = directory.resolve(file + ".pem");
        keytool("-certreq -alias it -file " + request, file);
        keytool("-gencert -rfc -alias it -infile " + request + " -outfile " + signed + " " + options, name);
        KeyStore own = store(file);
        PrivateKey key = (PrivateKey) own.getKey("it", PASSWORD.toCharArray());
        return context(new KeyManager[] {new Stubborn(key, read(signed).toArray(X509Certificate[]::new))}, server);
    }

    /** A client without a certificate. */
    static SSLContext nobody(Path server) throws Exception {
        return context(new KeyManager[0], server);
    }

    X509Certificate signed(String file) throws Exception {
        return (X509Certificate)
                read(directory.resolve(file + ".pem")).iterator().next();
    }

    private static SSLContext context(KeyManager[] keys, Path server) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", read(server).iterator().next());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust.getTrustManagers(), new SecureRandom());
        return context;
    }

    private static Collection<? extends Certificate> read(Path pem) throws Exception {
        try (InputStream in = Files.newInputStream(pem)) {
            return CertificateFactory.getInstance("X.509").generateCertificates(in);
        }
    }

    private KeyStore store(String file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(directory.resolve(file + ".p12"))) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private void keytool(String options, String file) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(options.split(" ", -1)));
        command.removeIf(String::isEmpty);
        command.addAll(List.of(
                "-J-XX:TieredStopAtLevel=1",
                "-storetype",
                "PKCS12",
                "-keystore",
                directory.resolve(file + ".p12").toString(),
                "-storepass",
                PASSWORD));
        Path log = directory.resolve(file + ".log");
        Process tool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!tool.waitFor(60, TimeUnit.SECONDS) || tool.exitValue() != 0) {
            throw new IllegalStateException(command + ": " + Files.readString(log));
        }
    }

    /** Shows its certificate whatever authorities the server names; those of the JDK keep it to themselves then. */
    private static final class Stubborn extends X509ExtendedKeyManager {
        private final PrivateKey key;
        private final X509Certificate[] chain;

        Stubborn(PrivateKey key, X509Certificate[] chain) {
            this.key = key;
            this.chain = chain;
        }

        private static @Nullable String alias(String... types) {
            return List.of(types).contains("EC") ? "it" : null;
        }

        @Override
        public @Nullable String chooseEngineClientAlias(
                String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return alias(types);
        }

        @Override
        public @Nullable String chooseClientAlias(
                String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return alias(types);
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return chain;
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return key;
        }

        @Override
        public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
            return null;
        }

        @Override
        public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
            return null;
        }

        @Override
        public @Nullable String chooseServerAlias(
                String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return null;
        }
    }
}
