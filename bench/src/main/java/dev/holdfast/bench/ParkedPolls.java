package dev.holdfast.bench;

import dev.holdfast.server.HoldfastServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What requests that wait cost, and how soon the right one of them is told. */
record ParkedPolls(Report report) {
    private static final int PARKED = 5_000;
    private static final int WAKE_UPS = 200;

    void run() throws IOException, InterruptedException {
        try (HoldfastServer server = HttpScripts.server("memory:")) {
            List<Socket> parked = new ArrayList<>(PARKED);
            long before = Load.usedMemory();
            try (Socket operator = connect(server.port())) {
                for (int i = 0; i < PARKED; i++) {
                    ask(
                            operator,
                            "/v2/locks/acquire",
                            lock(i) + ",\"lease_id\":\"holder-" + i + "\",\"lease_ms\":600000}");
                    Socket waiter = connect(server.port());
                    waiter.getOutputStream()
                            .write(HttpLoad.post(
                                    "/v2/locks/acquire",
                                    lock(i) + ",\"lease_id\":\"waiter-" + i
                                            + "\",\"lease_ms\":600000,\"wait_ms\":60000}"));
                    parked.add(waiter);
                }
                awaitParked(server);
                report.line("parked long polls", PARKED, "requests");
                report.line("  heap after a collection, all of it", Load.usedMemory() / 1e6, "MB (goal below 500)");
                report.line("  heap of one parked request", (Load.usedMemory() - before) / (double) PARKED, "bytes");
                wakeUps(operator, parked);
            } catch (SocketException e) {
                report.note("parked long polls: not measured, " + e.getMessage()
                        + " (more open files may be needed: ulimit -n)");
            } finally {
                for (Socket waiter : parked) {
                    waiter.close();
                }
            }
        }
    }

    private static void awaitParked(HoldfastServer server) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (server.engine().waitingCallers() < PARKED) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(
                        "only " + server.engine().waitingCallers() + " of " + PARKED + " requests wait");
            }
            Thread.sleep(20);
        }
    }

    private void wakeUps(Socket operator, List<Socket> parked) throws IOException {
        long[] taken = new long[WAKE_UPS];
        for (int i = 0; i < WAKE_UPS; i++) {
            int which = i * (PARKED / WAKE_UPS);
            long start = System.nanoTime();
            operator.getOutputStream()
                    .write(HttpLoad.post(
                            "/v2/locks/release",
                            "{\"leases\":[" + lock(which) + ",\"lease_id\":\"holder-" + which + "\"}]}"));
            String told = answer(parked.get(which));
            taken[i] = System.nanoTime() - start;
            if (!told.contains("waiter-" + which)) {
                throw new IllegalStateException("the wrong one was told: " + told);
            }
            answer(operator);
        }
        Arrays.sort(taken);
        report.line(
                "  wake-up of the right one, p50",
                taken[WAKE_UPS / 2] / 1e6,
                "ms, slowest " + taken[WAKE_UPS - 1] / 1_000 + " us (goal below 20 ms)");
    }

    private static String lock(int number) {
        return "{\"namespace\":\"bench\",\"name\":\"parked-" + number + "\"";
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) Duration.ofSeconds(30).toMillis());
        return socket;
    }

    private static void ask(Socket socket, String path, String json) throws IOException {
        socket.getOutputStream().write(HttpLoad.post(path, json));
        answer(socket);
    }

    /** Small answers come in one piece, or a few. */
    private static String answer(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] bytes = new byte[8_192];
        int size = 0;
        String text = "";
        while (!isWhole(text)) {
            int read = in.read(bytes, size, bytes.length - size);
            if (read < 0) {
                throw new SocketException("the server closed a connection");
            }
            size += read;
            text = new String(bytes, 0, size, StandardCharsets.UTF_8);
        }
        return text;
    }

    private static boolean isWhole(String text) {
        int head = text.indexOf("\r\n\r\n");
        int length = text.indexOf("content-length: ");
        return head > 0
                && length > 0
                && text.length() >= head + 4 + Integer.parseInt(text, length + 16, text.indexOf('\r', length), 10);
    }
}
