package dev.holdfast.cli.connect;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.Stores;
import dev.holdfast.cli.text.FileProblem;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.client.ServerConfig;
import dev.holdfast.client.ServerConnector;
import dev.holdfast.client.ServerLocks;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Names;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.RecordStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
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
            description = "The server to ask (HOLDFAST_SERVER; default " + DEFAULT_SERVER
                    + "). Several, separated by commas, stand in for each other.")
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

    @Mixin
    private final TrustOptions trust = new TrustOptions();

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Use the server or store of this context (HOLDFAST_CONTEXT); see 'holdfast help context'.")
    private Optional<String> context = Optional.empty();

    @Option(
            names = {"-N", "--namespace"},
            paramLabel = "NAME",
            description = "The namespace (HOLDFAST_NAMESPACE). Without it: " + LockKey.DEFAULT_NAMESPACE
                    + "; or all of them, where locks are listed.")
    private Optional<String> namespace = Optional.empty();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** The command, where this is part of something that is part of it. */
    private Optional<CommandSpec> command = Optional.empty();

    /** Tells whose part it is: what is said before the command counts for it, too. */
    public Target of(CommandSpec whole) {
        command = Optional.of(whole);
        return this;
    }

    private Optional<ChosenConnection> decided = Optional.empty();

    private record ChosenConnection(Map<String, String> flags, Connection connection) {}

    public Connection connection() {
        Map<String, String> flags = flags();
        if (decided.isEmpty() || !decided.get().flags().equals(flags)) {
            decided = Optional.of(new ChosenConnection(flags, Connection.of(flags, System.getenv())));
        }
        return decided.get().connection();
    }

    private Map<String, String> flags() {
        Map<String, String> flags = new LinkedHashMap<>();
        server.ifPresent(it -> flags.put(Context.SERVER, it));
        store.ifPresent(it -> flags.put(Context.STORE, it));
        tokenFile.ifPresent(it -> flags.put(Context.TOKEN_FILE, it.toString()));
        trust.addTo(flags);
        namespace.ifPresent(it -> flags.put(Context.NAMESPACE, it));
        context.or(() -> contextOf(command.orElse(spec))).ifPresent(it -> flags.put("context", it));
        return flags;
    }

    /** {@code holdfast --context prod ls}: said before the command. */
    public static Optional<String> contextOf(CommandSpec command) {
        OptionSpec option = command.root().findOption("--context");
        return option != null && option.getValue() instanceof Optional<?> value
                ? value.map(String::valueOf)
                : Optional.empty();
    }

    public Optional<String> namespace() {
        return connection().value(Context.NAMESPACE);
    }

    /**
     * The lock that is meant by {@code [NAMESPACE:]NAME[/PATH]}. With {@code -N} on the command line the word is the name as it is,
     * whatever signs are in it.
     */
    public LockKey key(String word, Optional<String> path) {
        LockKey whole = namespace
                .map(it -> literal(it, word))
                .orElseGet(() -> KeyText.parse(word, namespace().orElse(LockKey.DEFAULT_NAMESPACE)));
        if (path.isEmpty()) {
            return whole;
        }
        LockKey part = whole.at(path.get());
        if (!whole.path().isWhole() && !whole.equals(part)) {
            throw new IllegalArgumentException(
                    "--path " + path.get() + " is another part than '" + word + "' says; leave it out");
        }
        return part;
    }

    /** Whether words are names as they are: a namespace was named on the command line. */
    public boolean isLiteral() {
        return namespace.isPresent();
    }

    /** Somebody who copied a key and added -N would get another lock than the one that was shown. */
    private static LockKey literal(String namespace, String word) {
        if (word.startsWith(namespace + ":")) {
            throw new IllegalArgumentException("-N " + namespace + " and '" + word
                    + "' both name the namespace. Leave out -N; a lock whose name really starts like that is written "
                    + namespace + ":" + word);
        }
        return LockKey.of(namespace, word);
    }

    /**
     * The other lock this word could mean: one whose name has these signs in it, or, where a namespace was named and the word is the
     * name as it is, the one it would mean without. Empty if there are no such signs. In another namespace only where nobody is asked
     * who they are: to look there would be an attempt to look where one may not.
     */
    public Optional<LockKey> otherReading(String word, LockKey meant) {
        if (word.length() > Names.MAX_NAME || (word.indexOf(':') < 0 && word.indexOf('/') < 0)) {
            return Optional.empty();
        }
        String here = namespace().orElse(LockKey.DEFAULT_NAMESPACE);
        try {
            LockKey other =
                    isLiteral() ? KeyText.parse(word, here) : new LockKey(new RecordKey(here, word), LockPath.WHOLE);
            boolean mayLook = other.namespace().equals(meant.namespace()) || !showsWho();
            return Optional.of(other).filter(it -> mayLook && !it.record().equals(meant.record()));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // it can be read in one way only
        }
    }

    /** Whether nobody said in which namespace: neither the word, nor an option, the environment or a context. */
    public boolean isAnywhere(String word) {
        return namespace().isEmpty() && word.indexOf(':') < 0;
    }

    /**
     * How a name starts, and in which namespace: {@code [NAMESPACE:]PREFIX}. With {@code -N} on the command line it is the start of
     * the name as it is.
     */
    public KeyText.KeyPrefix start(String word) {
        KeyText.KeyPrefix start = namespace.isPresent() ? new KeyText.KeyPrefix(namespace, word) : KeyText.start(word);
        return new KeyText.KeyPrefix(
                start.namespace().or(this::namespace), namespace.isPresent() ? start.rest() : start.prefix());
    }

    /** The store to work on without a server, if that is what was asked for: a flag is closer than the environment. */
    public Optional<String> store() {
        return connection().value(Context.STORE);
    }

    public String url() {
        return store().or(() -> connection().value(Context.SERVER)).orElse(DEFAULT_SERVER);
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

    public ServerConfig servers() {
        // The JDK's HTTP client takes longer to start and to end than most commands have to do.
        ServerConfig config = ServerConfig.of(url().split(",", -1)).withConnectionForEachRequest();
        return connection().secured(token().map(config::withToken).orElse(config));
    }

    /** Whether a server is told who asks. */
    public boolean showsWho() {
        return store().isEmpty()
                && (token().isPresent() || connection().identity().isPresent());
    }

    /** Whether somebody said which server, or it is only the usual one. */
    public boolean namesServer() {
        return connection().get(Context.SERVER).isPresent() && (server.isPresent() || store().isEmpty());
    }

    private Optional<String> token() {
        Optional<Path> file = connection().file(Context.TOKEN_FILE);
        if (file.isEmpty()) {
            return connection().value(Connection.TOKEN);
        }
        try {
            String token = Files.readString(file.get()).strip();
            if (token.isEmpty()) {
                throw new IllegalArgumentException(
                        "The file '" + file.get() + "' is empty, and should have a token in it");
            }
            return Optional.of(token);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "The token cannot be read from '" + file.get() + "': " + FileProblem.why(e), e);
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

    public static Optional<String> set(String variable) {
        return Optional.ofNullable(System.getenv(variable)).filter(value -> !value.isBlank());
    }
}
