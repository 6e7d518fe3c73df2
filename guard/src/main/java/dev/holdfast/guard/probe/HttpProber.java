package dev.holdfast.guard.probe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.channels.AsynchronousChannelGroup;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/**
 * Probes with HTTP HEAD, and with GET where HEAD is not understood (405, 501).
 *
 * <p>200 is {@link ProbeStatus#UP}; any other answer is {@link ProbeStatus#DOWN} with its code; {@link ProbeStatus#REFUSED} only if every address of
 * the host refused the connection; everything else, including a target the policy refuses, is {@link ProbeStatus#UNKNOWN} with the
 * reason. The timeout covers all of it: waiting for a place, resolving, connecting, TLS, both requests. Redirects are not
 * followed, proxies not used, and what an answer says after its first line is not read.
 *
 * <p>No thread waits for an app. The futures are completed by the prober's own threads, which what depends on them must not
 * block.
 */
public final class HttpProber implements Prober {
    /** How many probes may be under way at once; the rest wait within their own deadlines. */
    public static final int MOST_AT_ONCE = 256;

    /** Ten for each of the thousand resources one server watches. */
    private static final int MOST_WAITING = 10_000;

    /** Name servers that do not answer hold a thread each; names wait for one, addresses do not. */
    private static final int MOST_LOOKUPS = 16;

    private static final int MOST_WAITING_LOOKUPS = MOST_AT_ONCE;

    private final AddressPolicy policy;
    private final SSLContext tls;
    private final NameResolver names;
    private final Clock clock = Clock.systemUTC();
    private final ConcurrencyLimit places;
    private final Set<ProbeRun> runs = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor timer;
    private final ThreadPoolExecutor lookups;
    private final AsynchronousChannelGroup channels;
    private volatile boolean closed;

    /** Believing the JDK's certificates. */
    public HttpProber(AddressPolicy policy) {
        this(policy, TrustedCertificates.standard());
    }

    /** Believing what this context believes, see {@link TrustedCertificates}. */
    public HttpProber(AddressPolicy policy, SSLContext tls) {
        this(policy, tls, InetAddress::getAllByName, MOST_AT_ONCE, MOST_WAITING);
    }

    HttpProber(AddressPolicy policy, SSLContext tls, NameResolver names, int mostAtOnce, int mostWaiting) {
        this.policy = policy;
        this.tls = tls;
        this.names = names;
        places = new ConcurrencyLimit(mostAtOnce, mostWaiting);
        timer = new ScheduledThreadPoolExecutor(1, daemons("holdfast-probe-timer"));
        timer.setRemoveOnCancelPolicy(true);
        lookups = new ThreadPoolExecutor(
                MOST_LOOKUPS,
                MOST_LOOKUPS,
                10,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_WAITING_LOOKUPS),
                daemons("holdfast-probe-names"));
        lookups.allowCoreThreadTimeOut(true);
        int threads = Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));
        try {
            channels = AsynchronousChannelGroup.withFixedThreadPool(threads, daemons("holdfast-probe"));
        } catch (IOException e) {
            throw new UncheckedIOException("no probes can be made: " + e.getMessage(), e);
        }
    }

    @Override
    public CompletableFuture<ProbeResult> probe(URI url, Duration timeout) {
        ProbeUrl target;
        try {
            target = ProbeUrl.of(url);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(unknown(String.valueOf(e.getMessage())));
        }
        Optional<String> refusal = policy.refusal(target);
        if (refusal.isPresent()) {
            return CompletableFuture.completedFuture(unknown(refusal.get()));
        }
        if (timeout.isNegative() || timeout.isZero()) {
            return CompletableFuture.completedFuture(unknown("no time was left for a probe"));
        }
        ProbeRun run = new ProbeRun(this, target, timeout);
        runs.add(run);
        try {
            run.setDeadline();
            if (!places.enter(run)) {
                run.end(unknown("too many probes are waiting already"));
            }
        } catch (RejectedExecutionException e) {
            run.end(unknown("the prober is closed"));
        }
        if (closed) {
            run.end(unknown("the prober is closed"));
        }
        return run.answer();
    }

    /** Ends every probe that is under way, as {@link ProbeStatus#UNKNOWN}. */
    @Override
    public void close() {
        closed = true;
        places.dismiss();
        List.copyOf(runs).forEach(run -> run.end(unknown("the prober is closed")));
        timer.shutdownNow();
        lookups.shutdownNow();
        try {
            channels.shutdownNow();
        } catch (IOException e) {
            throw new UncheckedIOException("the prober's lines did not close: " + e.getMessage(), e);
        }
    }

    ProbeResult unknown(String detail) {
        return new ProbeResult(ProbeStatus.UNKNOWN, OptionalInt.empty(), clock.instant(), detail);
    }

    ProbeResult refused(String detail) {
        return new ProbeResult(ProbeStatus.REFUSED, OptionalInt.empty(), clock.instant(), detail);
    }

    ProbeResult answered(int code, String detail) {
        return new ProbeResult(
                code == 200 ? ProbeStatus.UP : ProbeStatus.DOWN, OptionalInt.of(code), clock.instant(), detail);
    }

    AddressPolicy policy() {
        return policy;
    }

    SSLContext tls() {
        return tls;
    }

    NameResolver names() {
        return names;
    }

    ScheduledThreadPoolExecutor timer() {
        return timer;
    }

    ThreadPoolExecutor lookups() {
        return lookups;
    }

    AsynchronousChannelGroup channels() {
        return channels;
    }

    void over(ProbeRun run) {
        runs.remove(run);
        places.leave(run);
    }

    private static ThreadFactory daemons(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
