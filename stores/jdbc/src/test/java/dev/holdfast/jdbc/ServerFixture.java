package dev.holdfast.jdbc;

import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.time.StoreClock;
import dev.holdfast.test.machine.SettableClock;
import dev.holdfast.test.machine.TestMachine;
import dev.holdfast.testkit.fixture.StoreFixture;
import dev.holdfast.testkit.fixture.TimeSteps;
import dev.holdfast.testkit.servers.CuttableLine;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An empty place on a real server, reached over a line that can be cut. The server's clock is a row of a table there, so that time
 * passes only when told to, for it and for the machines alike. The row is set before anybody can read it, not more often: a test
 * that lets days pass would write it ten thousand times.
 */
public abstract class ServerFixture implements StoreFixture {
    /** What a store asks for the time. */
    protected static final String NOW = "(select now from test_clock)";

    /** Engines measure every ten seconds, which is not needed while it is known as well as this. */
    private static final Duration EXACT = Duration.ofMillis(200);

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    protected final SettableClock clock = new SettableClock(START, this::passed);
    protected final CuttableLine line;
    private final TestMachine machine = new TestMachine(clock, 42);
    private final Connection clockHand;
    private final List<StoreClock> clocks = new CopyOnWriteArrayList<>();

    // Guarded by the clock: what the server's clock shows, what it should, and how many calls may be reading it.
    private Duration shown = Duration.ZERO;
    private Duration passed = Duration.ZERO;
    private int calls;

    /**
     * On the server at this port.
     *
     * @param clockHand a connection to the place itself
     * @param timeType the type of columns for times
     */
    protected ServerFixture(int port, Connection clockHand, String timeType) {
        this.line = new CuttableLine(port);
        this.clockHand = clockHand;
        sql("create table test_clock (now " + timeType + ")");
        sql("insert into test_clock values ('" + text(START) + "')");
    }

    /** A time as the server reads it. */
    protected abstract String text(Instant time);

    private void sql(String statement) {
        try (Statement run = clockHand.createStatement()) {
            run.execute(statement);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Machine machine() {
        return machine.peer();
    }

    @Override
    public final void advance(Duration time) {
        TimeSteps.pass(time, this::step);
    }

    private void step(Duration time) {
        machine.advance(time);
        // Real clocks drift apart a little in between; these do not, and the comparison with the rules is exact.
        clocks.forEach(StoreClock::measure);
    }

    // ---- the server's clock

    private void passed(Duration all) {
        passed = all;
        if (calls > 0) {
            setServerClock();
        }
    }

    private void setServerClock() {
        if (!shown.equals(passed)) {
            sql("update test_clock set now = '" + text(START.plus(passed)) + "'");
            shown = passed;
        }
    }

    /** The store, for which the server's clock is right in each of its calls. */
    protected final RecordStore timed(RecordStore store) {
        StoreClock clockOfStore = timed(store.clock(), StoreClock.class, this::called);
        clocks.add(clockOfStore);
        StoreClock seldom = timed(
                clockOfStore,
                StoreClock.class,
                (target, method, arguments) -> method.getName().equals("measure") && isExact(clockOfStore)
                        ? CompletableFuture.completedFuture(null)
                        : method.invoke(target, arguments));
        return timed(
                store,
                RecordStore.class,
                (target, method, arguments) ->
                        method.getName().equals("clock") ? seldom : called(target, method, arguments));
    }

    private static boolean isExact(StoreClock clock) {
        return clock.now()
                .filter(time -> Duration.between(time.earliest(), time.latest()).compareTo(EXACT) < 0)
                .isPresent();
    }

    private Object called(Object target, Method method, Object[] arguments) throws ReflectiveOperationException {
        synchronized (clock) {
            setServerClock();
            calls++;
        }
        try {
            return method.invoke(target, arguments);
        } finally {
            synchronized (clock) {
                calls--;
            }
        }
    }

    private interface Call {
        Object on(Object target, Method method, Object[] arguments) throws ReflectiveOperationException;
    }

    /** The same to all who use it by its interfaces. */
    private static <T> T timed(T target, Class<T> type, Call call) {
        Set<Class<?>> interfaces = new LinkedHashSet<>(Set.of(type));
        for (Class<?> each = target.getClass(); each != null; each = each.getSuperclass()) {
            interfaces.addAll(List.of(each.getInterfaces()));
        }
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), interfaces.toArray(Class<?>[]::new), (proxy, method, arguments) -> {
                    try {
                        return call.on(target, method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @Override
    public boolean skipsTime() {
        return true;
    }

    @Override
    public Optional<Line> line() {
        return Optional.of(line);
    }

    @Override
    public void close() {
        line.close();
        try {
            clockHand.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
