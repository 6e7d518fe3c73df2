package dev.holdfast.client;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.concurrent.Candidacy;
import dev.holdfast.concurrent.LeaderElection;
import dev.holdfast.concurrent.LeaderListener;
import dev.holdfast.concurrent.Term;
import dev.holdfast.concurrent.TermEnd;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import java.io.IOException;
import java.time.Duration;

/** A candidate in a process of its own: it says what it hears, until its input ends. */
final class LeaderProcess {
    static final String NAME = "scheduler";

    private LeaderProcess() {}

    static JavaProcess start(String url, String owner, Duration lease) {
        return JavaProgram.of(LeaderProcess.class).heap("128m").start(url, owner, lease.toString());
    }

    public static void main(String[] args) throws IOException {
        try (LockClient locks = LockClient.connect(args[0], ClientConfig.DEFAULT.withOwner(args[1]));
                Candidacy candidacy = LeaderElection.of(locks, NAME)
                        .withLease(Duration.parse(args[2]))
                        .stand(new Saying())) {
            System.out.println("stands");
            System.in.read();
        }
        System.out.println("closed");
    }

    private static final class Saying implements LeaderListener {
        @Override
        public void elected(Term term) {
            System.out.println("elected " + term.token().value());
        }

        @Override
        public void ended(Term term, TermEnd why) {
            System.out.println(
                    "ended " + why + " " + term.lostFor().map(Enum::name).orElse("-") + " valid " + term.isValid());
        }

        @Override
        public void failed(Exception failure) {
            System.out.println("failed " + failure);
        }
    }
}
