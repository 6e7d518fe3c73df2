package dev.holdfast.testkit.servers;

import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.testkit.fixture.StoreFixture;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP proxy to a port of this machine that can be cut. Cut, it closes what is open and refuses what comes; or, gone
 * {@linkplain #freeze() silent}, it accepts and passes nothing, as a dead network does; or {@linkplain #loseAnswers() answers get lost}.
 */
public final class CuttableLine implements StoreFixture.Line, AutoCloseable {
    private final int target;
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;
    private volatile boolean silent;
    private volatile boolean deaf;

    /** A line to this port; {@link #port()} is its near end. */
    public CuttableLine(int target) {
        this.target = target;
        try {
            this.listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        DaemonThreads.start("line", this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    @Override
    public void cut() {
        cut = true;
        open.forEach(CuttableLine::close);
        open.clear();
    }

    /** Nothing passes, and nobody is told. */
    public void freeze() {
        silent = true;
    }

    /** What is sent arrives, but nothing comes back, and nobody is told. */
    public void loseAnswers() {
        deaf = true;
    }

    /** Works again; what was silent goes on where it stopped. */
    @Override
    public synchronized void heal() {
        cut = false;
        silent = false;
        deaf = false;
        notifyAll();
    }

    @Override
    public void close() {
        heal();
        close(listening);
        cut();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket near = listening.accept();
                if (cut) {
                    close(near);
                    continue;
                }
                Socket far = new Socket();
                open.add(near);
                open.add(far);
                far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                DaemonThreads.start("line", () -> pass(near, far, near));
                DaemonThreads.start("line", () -> pass(far, near, near));
            } catch (IOException e) {
                if (listening.isClosed()) {
                    return;
                }
            }
        }
    }

    private void pass(Socket from, Socket to, Socket near) {
        byte[] buffer = new byte[16 * 1024];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                awaitSound();
                if (!deaf || from == near) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException e) {
            // one end is gone; so is the other, below
        } finally {
            close(from);
            close(to);
            open.remove(from);
            open.remove(to);
        }
    }

    private synchronized void awaitSound() throws IOException {
        try {
            while (silent) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    static void close(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
