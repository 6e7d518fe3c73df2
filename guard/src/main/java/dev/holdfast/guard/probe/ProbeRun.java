package dev.holdfast.guard.probe;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * One probe on its way. It ends once, whoever ends it; then its connection is closed, which frees the thread that runs it from
 * whatever it was waiting for.
 */
final class ProbeRun implements Runnable {
    /** A host with more addresses is tried at these; refused by all of them does not mean refused by all. */
    private static final int MOST_ADDRESSES = 8;

    /** Room for some interim answers with their headers; the status line itself is a few dozen bytes. */
    private static final int MOST_READ = 16 * 1024;

    private final HttpProber prober;
    private final ProbeUrl url;
    private final Duration timeout;
    private final long deadline;
    final CompletableFuture<ProbeResult> answer = new CompletableFuture<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile String doing = "waiting for a place among the probes";
    volatile boolean begun; // it has its place
    private volatile @Nullable Future<?> alarm;
    private volatile @Nullable Socket socket;

    ProbeRun(HttpProber prober, ProbeUrl url, Duration timeout) {
        this.prober = prober;
        this.url = url;
        this.timeout = timeout;
        deadline = System.nanoTime() + timeout.toNanos();
    }

    void setDeadline() {
        alarm = prober.timer.schedule(() -> end(tooLate()), nanosLeft(), TimeUnit.NANOSECONDS);
    }

    private ProbeResult tooLate() {
        return prober.unknown("no answer within " + timeout.toMillis() + " ms; it was " + doing);
    }

    @Override
    public void run() {
        begun = true;
        if (ended.get()) {
            return; // the deadline came before the place
        }
        try {
            end(look());
        } catch (InterruptedException e) {
            end(prober.unknown("the prober is closed"));
        } catch (RuntimeException e) { // otherwise it would wait for its deadline in vain
            end(prober.unknown("the probe failed: " + reason(e)));
        }
    }

    private ProbeResult look() throws InterruptedException {
        doing = "resolving '" + url.host() + "'";
        List<InetAddress> addresses;
        FutureTask<InetAddress[]> lookup = new FutureTask<>(() -> prober.names.resolve(url.host()));
        try {
            // Name servers that do not answer hold the thread that asks, so it is not this one; an address asks nobody.
            Executor asking = AddressRange.literal(url.host()) ? Runnable::run : prober.lookups;
            asking.execute(lookup);
            addresses = List.of(lookup.get(nanosLeft(), TimeUnit.NANOSECONDS));
        } catch (ExecutionException e) {
            return prober.unknown(
                    e.getCause() instanceof UnknownHostException
                            ? "no address is known for '" + url.host() + "'"
                            : "'" + url.host() + "' could not be resolved: " + e.getCause());
        } catch (RejectedExecutionException e) {
            return prober.unknown("too many names are waiting to be resolved");
        } catch (TimeoutException e) {
            return tooLate();
        } finally {
            lookup.cancel(true);
        }
        for (InetAddress address : addresses) {
            Optional<String> refusal = prober.policy.refusal(url.host(), address);
            if (refusal.isPresent()) {
                // All or nothing: a name that also stands for a forbidden address is not an app's.
                return prober.unknown("'" + url.host() + "' is not probed: " + refusal.get());
            }
        }
        return ask(addresses);
    }

    /** Asks the first of these that takes a connection. */
    private ProbeResult ask(List<InetAddress> addresses) {
        int most = Math.min(addresses.size(), MOST_ADDRESSES);
        int refusals = 0;
        for (int next = 0; ; next++) {
            InetSocketAddress address = new InetSocketAddress(addresses.get(next), url.port());
            try {
                connect(address, most - next);
            } catch (IOException e) {
                refusals += isRefusal(e) ? 1 : 0;
                if (next + 1 < most) {
                    continue;
                }
                return refusals == addresses.size()
                        ? prober.refused("the connection to " + shown(address) + " was refused")
                        : prober.unknown("no connection to " + shown(address) + ": " + reason(e));
            }
            return ask(address);
        }
    }

    private ProbeResult ask(InetSocketAddress address) {
        String method = "HEAD";
        try {
            int code = ask(address, method);
            if (code == 405 || code == 501) {
                method = "GET";
                connect(address, 1);
                code = ask(address, method);
            }
            return prober.answered(code, method + " answered " + code);
        } catch (IOException e) {
            return prober.unknown(shown(address) + " gave no answer to " + method + ": " + reason(e));
        }
    }

    /** A new connection in place of the last one; with others left to try, only a share of the time is spent on it. */
    private void connect(InetSocketAddress address, int left) throws IOException {
        doing = "connecting to " + shown(address);
        close(socket);
        Socket opened = new Socket(Proxy.NO_PROXY);
        socket = opened;
        if (ended.get()) {
            close(opened);
        }
        long share = Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanosLeft()) / left);
        opened.connect(address, Math.toIntExact(share));
    }

    /** The code of the answer on the connection there is. */
    private int ask(InetSocketAddress address, String method) throws IOException {
        doing = "waiting for the answer of " + shown(address) + " to " + method;
        Socket plain = socket;
        if (plain == null) {
            throw new EOFException("there is no connection");
        }
        Socket line = url.tls() ? secured(plain) : plain;
        String request = method + " " + url.path() + " HTTP/1.1\r\n"
                + "Host: " + url.hostHeader() + "\r\n"
                + "User-Agent: holdfast-guard\r\n"
                + "Accept: */*\r\n"
                + "Connection: close\r\n\r\n";
        line.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return code(new BufferedInputStream(line.getInputStream(), 1024));
    }

    /** The other side is asked for the host by its name and must have a certificate for that name, whatever its address is. */
    private Socket secured(Socket plain) throws IOException {
        SSLSocket secured = (SSLSocket) prober.tls.getSocketFactory().createSocket(plain, url.host(), url.port(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        try {
            parameters.setServerNames(
                    AddressRange.literal(url.host()) ? List.of() : List.of(new SNIHostName(url.host())));
        } catch (IllegalArgumentException e) {
            // A name with an underscore cannot be asked for. The certificate is still checked against it.
            parameters.setServerNames(List.of());
        }
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    /** Nothing after the status line is looked at, except past interim answers (1xx) to the real one. */
    private static int code(InputStream in) throws IOException {
        StringBuilder read = new StringBuilder();
        while (true) {
            String status = line(in, read, "HTTP/");
            if (!status.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
                throw new IOException("the answer is not HTTP");
            }
            int code = Integer.parseInt(status.substring(9, 12));
            if (code >= 200) {
                return code;
            }
            while (!line(in, read, "").isEmpty()) {
                // A header of an interim answer.
            }
        }
    }

    /** The next line, which must begin so: what is not HTTP may have no line at all. */
    private static String line(InputStream in, StringBuilder read, String beginning) throws IOException {
        int from = read.length();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the server closed the connection without an answer");
            }
            read.append((char) next);
            int length = read.length() - from;
            if (length <= beginning.length() && beginning.charAt(length - 1) != next) {
                throw new IOException("the answer is not HTTP");
            }
            if (read.length() == MOST_READ) {
                throw new IOException("no status line within the first " + MOST_READ + " bytes");
            }
        }
        int end = read.length() > from && read.charAt(read.length() - 1) == '\r' ? read.length() - 1 : read.length();
        return read.substring(from, end);
    }

    void end(ProbeResult found) {
        if (ended.compareAndSet(false, true)) {
            Future<?> set = alarm;
            if (set != null) {
                set.cancel(false);
            }
            close(socket);
            prober.over(this);
            answer.complete(found);
        }
    }

    private long nanosLeft() {
        return deadline - System.nanoTime();
    }

    private static void close(@Nullable Socket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            // It was to be thrown away; whether it went politely changes nothing.
        }
    }

    private static boolean isRefusal(IOException problem) {
        // The same exception stands for a connection that timed out. Anything but this word is no refusal.
        return problem instanceof ConnectException
                && String.valueOf(problem.getMessage()).toLowerCase(Locale.ROOT).contains("refused");
    }

    private static String reason(Exception problem) {
        return problem.getMessage() == null ? problem.getClass().getSimpleName() : problem.getMessage();
    }

    private static String shown(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
