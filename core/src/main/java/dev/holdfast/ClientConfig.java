package dev.holdfast;

import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.machine.CallerContext;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Names;
import dev.holdfast.spi.ConnectWait;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Settings of a client: {@link #DEFAULT}, changed with the {@code with…} methods, which return a copy. Immutable; safe for any thread. */
public final class ClientConfig {
    /** Owner {@code hostname-pid-starttime}, namespace {@code default}, 30 s to connect, threads of its own. */
    public static final ClientConfig DEFAULT = new ClientConfig();

    private String owner = processLabel();
    private String namespace = LockKey.DEFAULT_NAMESPACE;
    private EngineConfig engine = EngineConfig.DEFAULT;
    private Duration connectWait = ConnectWait.DEFAULT;
    private Optional<Executor> executor = Optional.empty();
    private UnaryOperator<Runnable> context = CallerContext.NONE;
    private LockListener listener = LockListener.NONE;

    private ClientConfig() {}

    private ClientConfig with(Consumer<ClientConfig> change) {
        ClientConfig copy = new ClientConfig();
        copy.owner = owner;
        copy.namespace = namespace;
        copy.engine = engine;
        copy.connectWait = connectWait;
        copy.executor = executor;
        copy.context = context;
        copy.listener = listener;
        change.accept(copy);
        return copy;
    }

    /** The same with another name, shown as the holder of its locks. */
    public ClientConfig withOwner(String other) {
        return with(copy -> copy.owner = Names.text("owner", other, 1));
    }

    /** The same with another namespace, of locks named without one. */
    public ClientConfig withNamespace(String other) {
        return with(copy -> copy.namespace = LockKey.of(other, "x").namespace());
    }

    private ClientConfig withEngine(EngineConfig other) {
        return with(copy -> copy.engine = other);
    }

    /** The same, writing events to stores that can keep them, or not. */
    public ClientConfig withHistory(boolean kept) {
        return withEngine(engine.withHistory(kept));
    }

    /** The same with another time for which an operation is retried when the store fails, unless its lease ends sooner; 10 s. */
    public ClientConfig withOperationTimeout(Duration other) {
        return withEngine(engine.withOperationTimeout(other));
    }

    /** The same with another time after which a hold that was not renewed looks stale; 2 min. */
    public ClientConfig withStaleAfter(Duration other) {
        return withEngine(engine.withStaleAfter(other));
    }

    /** The same with another time for which the record of a free lock is kept; 24 h. */
    public ClientConfig withRetention(Duration other) {
        return withEngine(engine.withRetention(other));
    }

    /** The same with another time for which events are kept; 90 days. */
    public ClientConfig withHistoryRetention(Duration other) {
        return withEngine(engine.withHistoryRetention(other));
    }

    /** The same with another interval at which it looks for what has ended and what is past its retention; 10 min. */
    public ClientConfig withSweepEvery(Duration other) {
        return withEngine(engine.withSweepEvery(other));
    }

    /** The same, remembering this many records besides those in use; 20,000. */
    public ClientConfig withLocksCached(int other) {
        return withEngine(engine.withKeysCached(other));
    }

    /** The same with room for this many waiting callers of this process: for one lock (10,000), and in total (100,000). */
    public ClientConfig withWaiters(int perLock, int inAll) {
        return withEngine(engine.withWaiters(perLock, inAll));
    }

    /**
     * The same with another time for which {@link LockClient#connect} waits for a store that is not there yet; zero for
     * a single attempt. The URL ({@code ?connect_wait=10s}) takes precedence.
     */
    public ClientConfig withConnectWait(Duration other) {
        return with(copy -> copy.connectWait = ConnectWait.checked(other));
    }

    /**
     * The same, running what follows asynchronous calls on threads of your own: to use virtual threads, or in an
     * application server that wants to own them. Without it there are up to 32 daemon threads, and what blocks all of
     * them keeps the next ones waiting. Listeners of lost leases and of events always have threads of their own.
     */
    public ClientConfig withExecutor(Executor other) {
        return with(copy -> copy.executor = Optional.of(other));
    }

    /**
     * The same, keeping what callers have on their thread, such as a trace or a diagnostic context, for code of theirs
     * that runs later: the stages after an asynchronous call, listeners of losses and events, and the
     * {@link LockListener}. For OpenTelemetry:
     *
     * <pre>{@code
     * ClientConfig.DEFAULT.withContext(task -> Context.current().wrap(task))
     * }</pre>
     *
     * @param wrap called on the thread of the caller when an asynchronous call begins or a listener is registered; gives a task that
     *     does the same in the context of that thread, and takes it away afterwards. It runs later, on another thread, and for events
     *     several times. What this throws is logged, and the task runs all the same
     */
    public ClientConfig withContext(UnaryOperator<Runnable> wrap) {
        return with(copy -> copy.context = wrap);
    }

    /** The same, notifying this listener of what happens to its locks. */
    public ClientConfig withListener(LockListener other) {
        return with(copy -> copy.listener = other);
    }

    /** Who is shown as the holder of its locks. */
    public String owner() {
        return owner;
    }

    /** Of locks named without one. */
    public String namespace() {
        return namespace;
    }

    /** How long an operation is retried when the store fails. */
    public Duration operationTimeout() {
        return engine.operationTimeout();
    }

    /** How many callers may wait in this process. */
    public int waiters() {
        return engine.waiters();
    }

    /** Limits and habits of an engine. */
    EngineConfig engine() {
        return engine;
    }

    /** How long {@link LockClient#connect} waits for a store. */
    public Duration connectWait() {
        return connectWait;
    }

    /** Where what follows an answer is done; empty for threads of its own. */
    public Optional<Executor> executor() {
        return executor;
    }

    /** How code that runs later gets the context of its caller. */
    public UnaryOperator<Runnable> context() {
        return context;
    }

    /** Who hears what happens to its locks. */
    public LockListener listener() {
        return listener;
    }

    /** A label for people. The identity of a holder is its lease id, so equal labels do no harm. */
    private static String processLabel() {
        ProcessHandle self = ProcessHandle.current();
        Instant started = self.info().startInstant().orElseGet(Instant::now);
        return hostname() + "-" + self.pid() + "-" + started.getEpochSecond();
    }

    private static String hostname() {
        String set = System.getenv("HOSTNAME");
        if (set != null && !set.isBlank()) {
            return set;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost"; // a machine without a name: the label is all that suffers
        }
    }
}
