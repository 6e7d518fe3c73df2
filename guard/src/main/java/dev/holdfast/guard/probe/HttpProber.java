package dev.holdfast.guard.probe;

import dev.holdfast.internal.parts.DaemonThreads;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
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
 * <p>No thread of the caller waits for an app. The futures are completed by the prober's own threads, which what depends on them
 * must not block.
 */
public final class HttpProber implements Prober {
    /** How many probes may be under way at once, a thread for each; the rest wait within their own deadlines. */
    public static final int MOST_AT_ONCE = 256;

    /** Ten for each of the thousand resources one server watches. */
    private static final int MOST_WAITING = 10_000;

    /** Name servers that do not answer hold a thread each; names wait for one, addresses do not. */
    private static final int MOST_LOOKUPS = 16;

    /** What a host name stands for. May block. */
    interface NameResolver {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    final AddressPolicy policy;
    final SSLContext tls;
    final NameResolver names;
    final ThreadPoolExecutor lookups = threads(MOST_LOOKUPS, MOST_AT_ONCE, "holdfast-probe-names");
    final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.named("holdfast-probe-timer"));
    private final ThreadPoolExecutor places;
    private final Clock clock = Clock.systemUTC();
    private final Set<ProbeRun> runs = ConcurrentHashMap.newKeySet();
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
        places = threads(mostAtOnce, mostWaiting, "holdfast-probe");
        timer.setRemoveOnCancelPolicy(true);
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
            places.execute(run);
        } catch (RejectedExecutionException e) {
            run.end(unknown(closed ? "the prober is closed" : "too many probes are waiting already"));
        }
        if (closed) {
            run.end(unknown("the prober is closed"));
        }
        return run.answer;
    }

    /** Ends every probe that is under way, as {@link ProbeStatus#UNKNOWN}. */
    @Override
    public void close() {
        closed = true;
        places.getQueue().clear();
        List.copyOf(runs).forEach(run -> run.end(unknown("the prober is closed")));
        timer.shutdownNow();
        lookups.shutdownNow();
        places.shutdownNow();
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

    /** What ended while it was waiting gives up its turn. */
    void over(ProbeRun run) {
        runs.remove(run);
        if (!run.begun) {
            places.remove(run);
        }
    }

    /** So many threads, which end when they have nothing to do, and room for so much more that waits for one. */
    private static ThreadPoolExecutor threads(int most, int mostWaiting, String name) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                most, most, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(mostWaiting), DaemonThreads.named(name));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }
}
