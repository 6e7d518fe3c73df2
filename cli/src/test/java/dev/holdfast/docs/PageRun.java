package dev.holdfast.docs;

import dev.holdfast.testkit.servers.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One block of a page as it is run: what goes into the shell, and what is wrong with what came out. */
final class PageRun {
    private static final Pattern CURL = Pattern.compile("(?:^|; |&& )curl ");
    private static final Pattern PROMISED_STATUS = Pattern.compile("#\\s+(\\d{3})\\b(?:.*?\\bor (\\d{3})\\b)?");
    private static final Pattern FIELD = Pattern.compile("\"(\\w+)\":");
    private static final Pattern DURATION =
            Pattern.compile("\\b\\d+(?:\\.\\d+)?(?:ms|s|m|h|d)(?:\\d+(?:ms|s|m|h))*\\b");
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z?");
    private static final int SHOWN = 600;

    private final PageBlock block;
    private final Path place;
    private final String server;
    private final int number;

    PageRun(PageBlock block, Path place, String server, int number) {
        this.block = block;
        this.place = place;
        this.server = server;
        this.number = number;
    }

    /** Two that are free, for programs a page starts. */
    private static final class FreePorts {
        static final int FIRST = Ports.free();
        static final int SECOND = Ports.free();
    }

    // ---- what goes in

    String script() throws IOException {
        StringBuilder script = new StringBuilder();
        if (block.note("first").isPresent()) {
            Files.writeString(file("first"), block.note("first").orElseThrow() + "\n");
            script.append(". ")
                    .append(file("first"))
                    .append(" >")
                    .append(file("first.out"))
                    .append(" 2>&1 </dev/null\n");
        }
        List<Typed> all = typed();
        for (int i = 0; i < all.size(); i++) {
            Files.writeString(file("typed" + i), here(all.get(i).command()));
            script.append(": >\"$DOCS_PLACE/statuses\"\n")
                    .append("trap 'echo \"$? $BASH_COMMAND\" >>")
                    .append(file("failed" + i))
                    .append("' ERR\n. ")
                    .append(file("typed" + i))
                    .append(" >")
                    .append(file("out" + i))
                    .append(" 2>&1 </dev/null\ntrap - ERR\ncp \"$DOCS_PLACE/statuses\" ")
                    .append(file("statuses" + i))
                    .append('\n');
        }
        return script.toString();
    }

    private Path file(String what) {
        return place.resolve("block" + number + "." + what);
    }

    /** What is typed at once, and the lines that are promised. */
    private record Typed(String command, List<String> promise) {}

    private List<Typed> typed() {
        if (!block.language().equals("console")) {
            return List.of(new Typed(block.text(), List.of()));
        }
        List<Typed> all = new ArrayList<>();
        for (String line : block.text().lines().toList()) {
            if (line.startsWith("$ ")) {
                all.add(new Typed(line.substring(2) + "\n", new ArrayList<>()));
            } else {
                all.get(all.size() - 1).promise().add(line);
            }
        }
        return all;
    }

    /** With the places of this machine instead of those of the page, and nothing that takes long. */
    private String here(String text) {
        return text.replaceAll("(?m)^( *)(?:\\./)?holdfast serve\\b", "$1serve")
                .replace("./holdfast ", "holdfast ")
                .replace("http://127.0.0.1:8080", server)
                .replace("localhost:8080", server.substring("http://".length()))
                .replace("https://locks.example.org", "$LOCKS")
                .replace("HOLDFAST_TOKEN=…", "HOLDFAST_TOKEN=$DOCS_ADMIN")
                .replaceAll("postgresql://\\w+@db/locks", "sqlite:elsewhere.db")
                .replaceAll("/etc/holdfast/|/srv/|/etc/(?=holdfast-locks)", "\\$DOCS_DIRECTORY/")
                .replace("/var/lib/holdfast", "$DOCS_DIRECTORY/data")
                .replace("\"wait_ms\":60000", "\"wait_ms\":300")
                .replace("\"fencing_token\":42", "\"fencing_token\":'\"$TOKEN\"'")
                .replaceAll("(?<![$\\w{-])VERSION\\b(?!=)", "\\$VERSION")
                .replaceAll("\"timestamp\":\"[^\"]*\"", "\"timestamp\":\"'\"\\$(date -u +%FT%T.999Z)\"'\"")
                .replace(":9001", ":" + FreePorts.FIRST)
                .replace("server 9001", "server " + FreePorts.FIRST)
                .replace(":9002", ":" + FreePorts.SECOND)
                .replace("server 9002", "server " + FreePorts.SECOND)
                .replace("sleep 20", "sleep 2");
    }

    // ---- what came out

    List<String> problems() throws IOException {
        List<String> problems = new ArrayList<>();
        List<Typed> all = typed();
        for (int i = 0; i < all.size(); i++) {
            if (!Files.exists(file("out" + i))) {
                problems.add(block.place() + ": was not reached");
                continue;
            }
            String out = Files.readString(file("out" + i));
            if (block.language().equals("console")) {
                problems.addAll(missing(all.get(i).promise(), out));
            } else {
                problems.addAll(failures(i, out));
                problems.addAll(statuses(i, out));
            }
        }
        return problems;
    }

    private List<String> failures(int i, String out) throws IOException {
        if (!Files.exists(file("failed" + i))) {
            return List.of();
        }
        Set<String> allowed = Set.of(block.note("exit").orElse("0").split(" ", -1));
        return Files.readAllLines(file("failed" + i)).stream()
                .filter(line -> line.matches("\\d+ [^.].*") && !allowed.contains(line.substring(0, line.indexOf(' '))))
                .map(line -> block.place() + ": ended with " + line + "\n" + shown(out))
                .toList();
    }

    /** The status of each curl, and the fields of the answers that are shown. */
    private List<String> statuses(int i, String out) throws IOException {
        List<String> problems = new ArrayList<>();
        List<Set<String>> promised = new ArrayList<>();
        boolean answer = false;
        for (String line : block.text().lines().toList()) {
            CURL.matcher(line).results().forEach(found -> promised.add(Set.of()));
            Matcher status = PROMISED_STATUS.matcher(line);
            if (status.find() && !promised.isEmpty()) {
                promised.set(
                        promised.size() - 1,
                        status.group(2) == null ? Set.of(status.group(1)) : Set.of(status.group(1), status.group(2)));
                answer = true;
            }
            if (answer && line.contains("#")) {
                FIELD.matcher(line.substring(line.indexOf('#')))
                        .results()
                        .map(found -> found.group())
                        .filter(field -> !out.contains(field))
                        .forEach(field ->
                                problems.add(block.place() + ": promises the field " + field + "\n" + shown(out)));
            }
            answer = answer && line.startsWith("#");
        }
        List<String> came = Files.readAllLines(file("statuses" + i));
        for (int n = 0; n < Math.min(came.size(), promised.size()); n++) {
            boolean fine = promised.get(n).isEmpty()
                    ? came.get(n).matches("[23]\\d\\d")
                    : promised.get(n).contains(came.get(n));
            if (!fine) {
                problems.add(block.place() + ": call " + (n + 1) + " was answered " + came.get(n) + " instead of "
                        + promised.get(n) + "\n" + shown(out));
            }
        }
        if (came.size() < promised.size()) {
            problems.add(block.place() + ": " + promised.size() + " calls, but only " + came.size() + " were made\n"
                    + shown(out));
        }
        return problems;
    }

    /** Lines must come in this order; others may stand between them. Times, tokens and names of people differ. */
    private List<String> missing(List<String> promise, String out) {
        List<String> came = out.lines().map(PageRun::usual).toList();
        int from = 0;
        for (String line : promise) {
            if (line.isBlank() || line.strip().equals("…")) {
                continue;
            }
            Pattern wanted = Pattern.compile(
                    Stream.of(usual(line).split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
            int at = from;
            while (at < came.size() && !wanted.matcher(came.get(at)).matches()) {
                at++;
            }
            if (at == came.size()) {
                return List.of(block.place() + ": promises: " + line + "\n" + shown(out));
            }
            from = at + 1;
        }
        return List.of();
    }

    private static String usual(String line) {
        String text = TIME.matcher(line).replaceAll("TIME");
        text = DURATION.matcher(text).replaceAll("DURATION");
        return text.replaceAll("\\b\\d\\d:\\d\\d:\\d\\d\\b", "CLOCK")
                .replaceAll("-?\\b\\d{3,}\\b", "NUMBER")
                .replaceAll("\\b[\\w.-]+@[\\w.-]+\\b", "OWNER")
                .replaceAll("─+", "─")
                .replaceAll("\\s+", " ")
                .strip();
    }

    private static String shown(String out) {
        return out.length() <= SHOWN ? out : out.substring(0, SHOWN) + "…";
    }
}
