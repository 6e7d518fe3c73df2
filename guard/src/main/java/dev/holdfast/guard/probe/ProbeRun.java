package dev.holdfast.guard.probe;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.AsynchronousSocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One probe on its way. It ends once, whoever ends it; then its connection is closed and its place free. */
final class ProbeRun implements Runnable {
    /** A host with more addresses is tried at these; refused by all of them does not mean refused by all. */
    private static final int MOST_ADDRESSES = 8;

    private final HttpProber prober;
    private final ProbeUrl url;
    private final Duration timeout;
    private final long deadline;
    private final CompletableFuture<ProbeResult> answer = new CompletableFuture<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile String doing = "waiting for a place among the probes";
    private volatile @Nullable Future<?> alarm;
    private volatile @Nullable AsynchronousSocketChannel channel;

    ProbeRun(HttpProber prober, ProbeUrl url, Duration timeout) {
        this.prober = prober;
        this.url = url;
        this.timeout = timeout;
        deadline = System.nanoTime() + timeout.toNanos();
    }

    CompletableFuture<ProbeResult> answer() {
        return answer;
    }

    void setDeadline() {
        alarm = prober.timer()
                .schedule(
                        () -> end(prober.unknown("no answer within " + timeout.toMillis() + " ms; it was " + doing)),
                        deadline - System.nanoTime(),
                        TimeUnit.NANOSECONDS);
    }

    /** Starts on a thread of the prober: whoever gives up a place must not do the next one's work. */
    @Override
    public void run() {
        if (ended.get()) {
            prober.over(this); // the deadline came before the place
            return;
        }
        doing = "resolving '" + url.host() + "'";
        try {
            (AddressRange.literal(url.host()) ? prober.timer() : prober.lookups()).execute(this::resolve);
        } catch (RejectedExecutionException e) {
            end(prober.unknown("too many names wait to be resolved"));
        }
    }

    private void resolve() {
        if (ended.get()) {
            return;
        }
        try {
            List<InetAddress> addresses = List.of(prober.names().resolve(url.host()));
            for (InetAddress address : addresses) {
                Optional<String> refusal = prober.policy().refusal(url.host(), address);
                if (refusal.isPresent()) {
                    // All or nothing: a name that also stands for a forbidden address is not an app's.
                    end(prober.unknown("'" + url.host() + "' is not probed: " + refusal.get()));
                    return;
                }
            }
            attempt(addresses, 0, 0);
        } catch (UnknownHostException e) {
            end(prober.unknown("no address is known for '" + url.host() + "'"));
        } catch (RuntimeException e) {
            end(prober.unknown("'" + url.host() + "' could not be resolved: " + e));
        }
    }

    private void attempt(List<InetAddress> addresses, int next, int refusals) {
        InetSocketAddress address = new InetSocketAddress(addresses.get(next), url.port());
        int left = Math.min(addresses.size(), MOST_ADDRESSES) - next;
        then(connect(address, left), (line, problem) -> {
            if (line != null) {
                ask(line, address, "HEAD");
                return;
            }
            boolean refused = refused(problem);
            int allRefusals = refusals + (refused ? 1 : 0);
            if (left > 1) {
                attempt(addresses, next + 1, allRefusals);
            } else if (allRefusals == addresses.size()) {
                end(prober.refused("the connection to " + shown(address) + " was refused"));
            } else {
                end(prober.unknown("no connection to " + shown(address) + ": " + reason(problem)));
            }
        });
    }

    private void ask(ProbeConnection line, InetSocketAddress address, String method) {
        doing = "waiting for the answer of " + shown(address) + " to " + method;
        CompletableFuture<Integer> asked = secure(line).thenCompose(ready -> new Exchange(ready).ask(method, url));
        then(asked, (code, problem) -> {
            if (code == null) {
                end(prober.unknown(shown(address) + " gave no answer to " + method + ": " + reason(problem)));
            } else if (method.equals("HEAD") && (code == 405 || code == 501)) {
                askAgain(address);
            } else {
                end(prober.answered(code, method + " answered " + code));
            }
        });
    }

    private void askAgain(InetSocketAddress address) {
        then(connect(address, 1), (line, problem) -> {
            if (line == null) {
                end(prober.unknown("no second connection to " + shown(address) + ": " + reason(problem)));
            } else {
                ask(line, address, "GET");
            }
        });
    }

    /** Whatever goes wrong in the next step ends the probe; otherwise it would wait for its deadline in vain. */
    private <T> void then(CompletableFuture<T> stage, BiConsumer<T, Throwable> next) {
        var unused = stage.handle((value, problem) -> {
            try {
                next.accept(value, problem);
            } catch (RuntimeException e) {
                end(prober.unknown("the probe failed: " + reason(e)));
            }
            return true;
        });
    }

    private CompletableFuture<ProbeConnection> secure(ProbeConnection line) {
        if (!url.tls()) {
            return CompletableFuture.completedFuture(line);
        }
        try {
            TlsConnection tls = new TlsConnection(line, prober.tls(), url.host(), url.port());
            return tls.handshake().thenApply(done -> tls);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** A new connection in place of the last one; with others left to try, only a share of the time is spent on it. */
    private CompletableFuture<ProbeConnection> connect(InetSocketAddress address, int left) {
        doing = "connecting to " + shown(address);
        try {
            close(channel);
            AsynchronousSocketChannel opened = AsynchronousSocketChannel.open(prober.channels());
            channel = opened;
            if (ended.get()) {
                close(opened);
            }
            PlainConnection line = new PlainConnection(opened);
            CompletableFuture<ProbeConnection> connected = line.connect(address).thenApply(done -> line);
            if (left > 1) {
                Future<?> share = prober.timer()
                        .schedule(() -> close(opened), (deadline - System.nanoTime()) / left, TimeUnit.NANOSECONDS);
                return connected.whenComplete((done, problem) -> share.cancel(false));
            }
            return connected;
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    void end(ProbeResult found) {
        if (ended.compareAndSet(false, true)) {
            Future<?> set = alarm;
            if (set != null) {
                set.cancel(false);
            }
            close(channel);
            prober.over(this);
            answer.complete(found);
        }
    }

    private static void close(@Nullable AsynchronousSocketChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // It was to be thrown away; whether it went politely changes nothing.
            }
        }
    }

    private static boolean refused(Throwable problem) {
        Throwable cause = cause(problem);
        // The same exception stands for a connection that timed out. Anything but this word is no refusal.
        return cause instanceof ConnectException
                && String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT).contains("refused");
    }

    private static String reason(Throwable problem) {
        Throwable cause = cause(problem);
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private static Throwable cause(Throwable problem) {
        return problem instanceof CompletionException && problem.getCause() != null ? problem.getCause() : problem;
    }

    private static String shown(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
