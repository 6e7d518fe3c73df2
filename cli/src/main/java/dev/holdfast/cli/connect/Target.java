package dev.holdfast.cli.connect;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.Stores;
import dev.holdfast.client.ClientIdentity;
import dev.holdfast.client.ServerConfig;
import dev.holdfast.client.ServerConnector;
import dev.holdfast.client.ServerLocks;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.RecordStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where the locks are that a command is about: behind a server, or in a store this process opens itself. */
public final class Target {
    /**
     * How long a server or store that does not answer is tried: one that is being restarted is back by then, and a person still
     * waits.
     */
    public static final Duration PATIENCE = Duration.ofSeconds(3);

    public static final String DEFAULT_SERVER = "http://127.0.0.1:8080";

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "The server to ask (HOLDFAST_SERVER); default " + DEFAULT_SERVER
                    + ". Several, separated by commas, stand in for each other.")
    private Optional<String> server = Optional.empty();

    @Option(
            names = "--store",
            paramLabel = "URL",
            description = "Work on this store without a server (HOLDFAST_STORE), such as sqlite:locks.db.")
    private Optional<String> store = Optional.empty();

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "File with the token to show to the server (HOLDFAST_TOKEN_FILE, or the token itself in HOLDFAST_TOKEN).")
    private Optional<Path> tokenFile = Optional.empty();

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description =
                    "Certificates (PEM) to trust when the server speaks HTTPS (HOLDFAST_CA_FILE); default: those of Java.")
    private Optional<Path> caFile = Optional.empty();

    @Option(
            names = "--client-cert",
            paramLabel = "FILE",
            description = "Certificate (PEM) to show to a server that asks for one (HOLDFAST_CLIENT_CERT).")
    private Optional<Path> clientCert = Optional.empty();

    @Option(
            names = "--client-key",
            paramLabel = "FILE",
            description = "Its private key (PEM, PKCS#8; HOLDFAST_CLIENT_KEY).")
    private Optional<Path> clientKey = Optional.empty();

    @Option(
            names = {"-N", "--namespace"},
            paramLabel = "NAME",
            description = "Namespace of the lock (HOLDFAST_NAMESPACE); default " + LockKey.DEFAULT_NAMESPACE + ".")
    private Optional<String> namespace = Optional.empty();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** The namespace that was named, if one was. */
    public Optional<String> namespace() {
        return namespace.or(() -> set("HOLDFAST_NAMESPACE"));
    }

    /** The lock of this name in the namespace of the command. */
    public LockKey key(String name, Optional<String> path) {
        LockKey whole = LockKey.of(namespace().orElse(LockKey.DEFAULT_NAMESPACE), name);
        if (path.isEmpty()) {
            return whole;
        }
        LockKey part = whole.at(path.get());
        if (!whole.path().isWhole() && !whole.equals(part)) {
            throw new IllegalArgumentException(
                    "--path " + path.get() + " is another part than '" + name + "' says; leave it out");
        }
        return part;
    }

    /** The store to work on without a server, if that is what was asked for: a flag is closer than the environment. */
    public Optional<String> store() {
        return store.isPresent() || server.isPresent() ? store : set("HOLDFAST_STORE");
    }

    /** The URL of the store or server. */
    public String url() {
        return store().or(() -> server).or(() -> set("HOLDFAST_SERVER")).orElse(DEFAULT_SERVER);
    }

    /** The URL as it may be shown: without passwords. */
    public String shown() {
        return Stores.masked(url());
    }

    /** A client on it, for a person who waits for the answer; the caller closes it. */
    public LockClient open(ClientConfig config) {
        return openPatiently(config.withConnectWait(PATIENCE));
    }

    /** The same for work that would rather start late than not at all: a store that is not there yet is waited for. */
    public LockClient openPatiently(ClientConfig config) {
        if (store().isPresent()) {
            return LockClient.connect(store().get(), config);
        }
        return ServerLocks.client(servers(), config.withOperationTimeout(PATIENCE));
    }

    /** Which servers, and what is shown to them. */
    public ServerConfig servers() {
        ServerConfig config = ServerConfig.of(url().split(",", -1));
        config = file(caFile, "HOLDFAST_CA_FILE").map(config::withCaFile).orElse(config);
        config = token().map(config::withToken).orElse(config);
        return identity().map(config::withIdentity).orElse(config);
    }

    /** Whether somebody said which server, or it is only the usual one. */
    public boolean namesServer() {
        return server.isPresent()
                || (store().isEmpty() && set("HOLDFAST_SERVER").isPresent());
    }

    private Optional<ClientIdentity> identity() {
        Optional<Path> certificate = file(clientCert, "HOLDFAST_CLIENT_CERT");
        Optional<Path> key = file(clientKey, "HOLDFAST_CLIENT_KEY");
        return ClientIdentity.of(
                certificate, key, "--client-cert and --client-key (HOLDFAST_CLIENT_CERT, HOLDFAST_CLIENT_KEY)");
    }

    /** A file that is named is closer than the token itself in the environment. */
    private Optional<String> token() {
        Optional<Path> file = file(tokenFile, "HOLDFAST_TOKEN_FILE");
        if (file.isEmpty()) {
            return set("HOLDFAST_TOKEN");
        }
        try {
            return Optional.of(Files.readString(file.get()).strip());
        } catch (IOException e) {
            throw new IllegalArgumentException("The token cannot be read from '" + file.get() + "': " + e, e);
        }
    }

    /** A client to look with: a file that is not there has no locks, which is said, and it is not made for that. */
    public LockClient openExisting(ClientConfig config) {
        Optional<String> missing = store().filter(StoreFile::isMissing);
        if (missing.isEmpty()) {
            return open(config);
        }
        spec.commandLine()
                .getErr()
                .println("holdfast: there is no file '" + StoreFile.path(missing.get())
                        + "', so nothing is locked in it");
        return LockClient.connect("memory:", config);
    }

    /** The store itself, where one is worked on without a server and is not a file that is missing; the caller closes it. */
    public Optional<RecordStore> existingStore() {
        return store().filter(url -> !new ServerConnector().accepts(url) && !StoreFile.isMissing(url))
                .map(url -> Stores.open(url, PATIENCE));
    }

    /** The same under this process's own name. */
    public LockClient openExisting() {
        return openExisting(own());
    }

    /** A client on it under this process's own name. */
    public LockClient open() {
        return open(own());
    }

    private ClientConfig own() {
        return ClientConfig.DEFAULT.withNamespace(namespace().orElse(LockKey.DEFAULT_NAMESPACE));
    }

    private static Optional<Path> file(Optional<Path> option, String variable) {
        return option.or(() -> set(variable).map(Path::of));
    }

    /** What a variable of the environment says, if it says something. */
    public static Optional<String> set(String variable) {
        return Optional.ofNullable(System.getenv(variable)).filter(value -> !value.isBlank());
    }
}
