package dev.holdfast.cli.exec;

import dev.holdfast.cli.text.ProcFiles;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A process and everything that came from it, as far as it can be found: its descendants, theirs, and on Linux also those
 * whose parents have ended, by the lease id in their environment. Not found are processes that another program starts
 * (a service, a container, a remote shell), and on other systems what had been orphaned before the first look.
 *
 * <p>For one thread.
 */
final class ProcessTree {
    private final String leaseId;
    private final Set<ProcessHandle> known = new LinkedHashSet<>();
    private final Set<ProcessHandle> told = new LinkedHashSet<>();

    ProcessTree(ProcessHandle root, String leaseId) {
        this.leaseId = leaseId;
        known.add(root);
    }

    /** Adds what has been started since the last look, and forgets what is gone. */
    synchronized void look() {
        List<ProcessHandle> strangers = new ArrayList<>();
        ProcessHandle.allProcesses()
                .filter(each -> !known.contains(each) && !each.equals(ProcessHandle.current()))
                .forEach(strangers::add);
        strangers.removeIf(this::isMarked);
        boolean grown = true;
        while (grown) { // once for each generation at most
            grown = strangers.removeIf(this::isChildOfKnown);
        }
        known.removeIf(ProcessTree::isGone);
    }

    private boolean isMarked(ProcessHandle process) {
        return ProcFiles.hasVariable(process.pid(), ChildProcess.LEASE_ID, leaseId) && known.add(process);
    }

    private boolean isChildOfKnown(ProcessHandle process) {
        Optional<ProcessHandle> parent = process.parent();
        return parent.isPresent() && known.contains(parent.get()) && known.add(process);
    }

    synchronized List<ProcessHandle> processes() {
        look();
        return known.stream().filter(each -> !isGone(each)).toList();
    }

    /** Asks all that were not asked yet to end. */
    synchronized void term() {
        known.stream().filter(told::add).forEach(ProcessHandle::destroy);
    }

    synchronized void kill() {
        known.forEach(ProcessHandle::destroyForcibly);
    }

    /** Whether nothing of it runs any more, as of the last look. */
    synchronized boolean isGone() {
        return known.stream().allMatch(ProcessTree::isGone);
    }

    synchronized List<Long> running() {
        return known.stream().map(ProcessHandle::pid).toList();
    }

    private static boolean isGone(ProcessHandle process) {
        return !process.isAlive() || ProcFiles.isZombie(process.pid());
    }
}
