package dev.holdfast.cli;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.Stores;
import dev.holdfast.model.LockKey;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where the locks are that a command is about: behind a server, or in a store this process opens itself. */
final class Target {
    static final String DEFAULT_SERVER = "http://127.0.0.1:8080";

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
            names = {"-N", "--namespace"},
            paramLabel = "NAME",
            description = "Namespace of the lock (HOLDFAST_NAMESPACE); default " + LockKey.DEFAULT_NAMESPACE + ".")
    private Optional<String> namespace = Optional.empty();

    /** The namespace that was named, if one was. */
    Optional<String> namespace() {
        return namespace.or(() -> set("HOLDFAST_NAMESPACE"));
    }

    /** The lock of this name in the namespace of the command. */
    LockKey key(String name, Optional<String> path) {
        LockKey whole = LockKey.of(namespace().orElse(LockKey.DEFAULT_NAMESPACE), name);
        return path.isPresent() ? whole.at(path.get()) : whole;
    }

    /** The store to work on without a server, if that is what was asked for: a flag is closer than the environment. */
    Optional<String> store() {
        return store.isPresent() || server.isPresent() ? store : set("HOLDFAST_STORE");
    }

    /** The URL of the store or server. */
    String url() {
        return store().or(() -> server).or(() -> set("HOLDFAST_SERVER")).orElse(DEFAULT_SERVER);
    }

    /** As it may be shown. */
    String shown() {
        return Stores.masked(url());
    }

    /** A client on it; the caller closes it. */
    LockClient open(ClientConfig config) {
        return LockClient.connect(url(), config);
    }

    /** A client on it under this process's own name. */
    LockClient open() {
        return open(ClientConfig.DEFAULT.withNamespace(namespace().orElse(LockKey.DEFAULT_NAMESPACE)));
    }

    private static Optional<String> set(String variable) {
        return Optional.ofNullable(System.getenv(variable)).filter(value -> !value.isBlank());
    }
}
