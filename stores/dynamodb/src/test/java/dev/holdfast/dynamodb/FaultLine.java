package dev.holdfast.dynamodb;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An HTTP proxy to DynamoDB Local that counts what passes, and can go wrong in the ways the real way to DynamoDB does. */
public final class FaultLine implements AutoCloseable {
    /** What happens to a request. */
    @FunctionalInterface
    public interface Fault {
        /** Nothing: it passes, and so does the answer. */
        Fault NONE = request -> request.answer(request.forward());

        /** Answers, or does not. */
        void happenTo(Request request) throws IOException, InterruptedException;

        /** It is done; the answer gets lost, with the connection. */
        static Fault lostAnswer() {
            return request -> {
                request.forward();
                request.hangUp();
            };
        }

        /** It never arrives. */
        static Fault lostRequest() {
            return Request::hangUp;
        }

        /** It is not done, and DynamoDB says why. */
        static Fault refused(int status, String type) {
            return request -> request.answer(Message.error(status, type));
        }

        /** It is done, and DynamoDB says that something went wrong. */
        static Fault doneButFailed() {
            return request -> {
                request.forward();
                request.answer(Message.error(500, "InternalServerError"));
            };
        }

        /** It is done, and the answer takes its time. */
        static Fault slow(Duration by) {
            return request -> {
                Message answer = request.forward();
                Thread.sleep(by.toMillis());
                request.answer(answer);
            };
        }
    }

    private final ServerSocket listening;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final List<String> passed = new CopyOnWriteArrayList<>();
    private Fault fault = Fault.NONE;
    private String only = "";
    private int times;
    private volatile Duration dateShift = Duration.ZERO;

    public FaultLine() {
        try {
            listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    // ---- what happens

    /** The operations that came, such as {@code UpdateItem}, in order. */
    public List<String> passed() {
        return List.copyOf(passed);
    }

    public void forget() {
        passed.clear();
    }

    /** From now on this happens to every request. */
    public void always(Fault what) {
        next(Integer.MAX_VALUE, "", what);
    }

    /** This happens to the next requests of an operation, or of any. */
    public synchronized void next(int count, String operation, Fault what) {
        only = operation;
        times = count;
        fault = what;
    }

    public void heal() {
        always(Fault.NONE);
    }

    /** From now on answers tell a time that is off by this. */
    public void shiftDates(Duration by) {
        dateShift = by;
    }

    private synchronized Fault faultOf(String operation) {
        if (times <= 0 || !(only.isEmpty() || only.equals(operation))) {
            return Fault.NONE;
        }
        times--;
        return fault;
    }

    // ---- passing on

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket near = listening.accept();
                near.setTcpNoDelay(true);
                open.add(near);
                daemon(() -> serve(near));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket near) {
        try (near;
                Socket far = new Socket(InetAddress.getLoopbackAddress(), Dynamo.port())) {
            far.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(near.getInputStream());
            InputStream back = new BufferedInputStream(far.getInputStream());
            while (!near.isClosed()) {
                Request request = new Request(near, far, back, Message.read(in));
                passed.add(request.operation());
                faultOf(request.operation()).happenTo(request);
            }
        } catch (IOException | InterruptedException e) {
            // one of the ends is gone; so is the other now
        } finally {
            open.remove(near);
        }
    }

    /** One request on its way. */
    public final class Request {
        private final Socket near;
        private final Socket far;
        private final InputStream back;
        private final Message message;

        private Request(Socket near, Socket far, InputStream back, Message message) {
            this.near = near;
            this.far = far;
            this.back = back;
            this.message = message;
        }

        /** Reading the time is an operation of its own here, though not for DynamoDB. */
        public String operation() {
            if (message.body().contains("\"#clock\"")) {
                return "Clock";
            }
            String target = message.header("X-Amz-Target");
            return target.substring(target.indexOf('.') + 1);
        }

        /** To DynamoDB and back. */
        public Message forward() throws IOException {
            message.write(far);
            return Message.read(back).shifted(dateShift);
        }

        public void answer(Message answer) throws IOException {
            answer.write(near);
        }

        public void hangUp() throws IOException {
            near.close();
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
            for (Socket one : new ArrayList<>(open)) {
                one.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "fault line");
        thread.setDaemon(true);
        thread.start();
    }
}
