package dev.holdfast.cli.exec;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;

/**
 * The signals that ask this process to end, given to a receiver instead of ending it. A signal that was ignored when the
 * process started (by {@code nohup}, or in the background of a script) stays ignored, here and in the child.
 *
 * <p>The JDK's only way to do this is {@code sun.misc.Signal} of the module {@code jdk.unsupported}. It is reached by
 * reflection because the compiler warns of every mention of it, and nothing silences that.
 */
public enum Signals {
    HUP(1),
    INT(2),
    TERM(15);

    /** What a shell adds to the number of the signal that ended a process. */
    static final int SHELL_BASE = 128;

    private static final List<String> KNOWN = List.of(
            "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM",
            "TERM");

    private final int number;

    Signals(int number) {
        this.number = number;
    }

    /** How a process says that this signal ended it. */
    public int exitCode() {
        return SHELL_BASE + number;
    }

    /** The name of the signal an exit code speaks of, as shells read it; empty when it speaks of none. */
    static String named(int exitCode) {
        int number = exitCode - SHELL_BASE;
        if (number < 1 || number > 64) {
            return "";
        }
        return number <= KNOWN.size() ? KNOWN.get(number - 1) : Integer.toString(number);
    }

    /** From now on the receiver is called, on a thread of its own for each signal. */
    public static void catchAll(Consumer<Signals> receiver) {
        catchThese(List.of(values()), receiver);
    }

    /** The same for this one alone. */
    public void caught(Runnable act) {
        catchThese(List.of(this), signal -> act.run());
    }

    private static void catchThese(List<Signals> signals, Consumer<Signals> receiver) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Method handle = signal.getMethod("handle", signal, handler);
            for (Signals each : signals) {
                InvocationHandler call = (self, method, args) -> {
                    if (method.getName().equals("handle")) {
                        receiver.accept(each);
                        return null;
                    }
                    return method.getName().equals("equals") ? (Object) (self == args[0]) : (Object) each.hashCode();
                };
                Object proxy = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, call);
                handle.invoke(null, signal.getConstructor(String.class).newInstance(each.name()), proxy);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "This Java has no module jdk.unsupported, without which signals cannot be passed on: use a full JDK",
                    e);
        }
    }
}
