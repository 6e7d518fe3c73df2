package dev.holdfast.server.notify;

/** Who is told, which may change while a server runs. Safe for any thread. */
public final class Notifications implements AutoCloseable {
    private final Notifier.NotifierParts parts;
    private volatile NotifyOptions options;
    // Guarded by this.
    private Notifier notifier;
    private boolean closed;

    /** Begins with these. Close it before the engine. */
    public Notifications(NotifyOptions options, Notifier.NotifierParts parts) {
        this.parts = parts;
        this.options = options;
        this.notifier = Notifier.start(options, parts);
    }

    public NotifyOptions options() {
        return options;
    }

    /** Tells these from now on: each goes on where it was. Takes as long as what is being sent, for a few seconds at most. */
    public synchronized void use(NotifyOptions others) {
        if (!closed) {
            notifier.close();
            options = others;
            notifier = Notifier.start(others, parts);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifier.close();
    }
}
