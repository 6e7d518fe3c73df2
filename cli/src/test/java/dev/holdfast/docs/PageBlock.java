package dev.holdfast.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fenced block of a page, with the notes for the test that stand above it as comments, which readers do not see:
 *
 * <pre>
 *   &lt;!-- not run: WHY --&gt;         it cannot be run by a test here
 *   &lt;!-- first: COMMANDS --&gt;      what is run before it
 *   &lt;!-- exit: 5 --&gt;              commands of it may end with this code
 *   &lt;!-- file: NAME --&gt;           it is the content of this file
 * </pre>
 *
 * @param page where it stands
 * @param line of its first line
 * @param language what is written behind the fence
 * @param text without its indentation
 * @param notes by their first word
 */
record PageBlock(String page, int line, String language, String text, Map<String, String> notes) {
    private static final Pattern NOTE = Pattern.compile("\\s*<!-- (not run|first|exit|file): (.+) -->");
    private static final Pattern FENCE = Pattern.compile("(\\s*)```(\\S*)\\s*");

    Optional<String> note(String kind) {
        return Optional.ofNullable(notes.get(kind));
    }

    String place() {
        return page + ":" + line;
    }

    static List<PageBlock> of(Path root, Path file) {
        try {
            return of(root.relativize(file).toString(), Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<PageBlock> of(String page, List<String> lines) {
        List<PageBlock> blocks = new ArrayList<>();
        Map<String, String> notes = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher note = NOTE.matcher(lines.get(i));
            Matcher fence = FENCE.matcher(lines.get(i));
            if (note.matches()) {
                notes.put(note.group(1), note.group(2));
            } else if (fence.matches()) {
                String indent = fence.group(1);
                StringBuilder text = new StringBuilder();
                int first = i + 2;
                for (i++; !lines.get(i).strip().equals("```"); i++) {
                    String line = lines.get(i);
                    text.append(line.startsWith(indent) ? line.substring(indent.length()) : line.strip())
                            .append('\n');
                }
                blocks.add(new PageBlock(page, first, fence.group(2), text.toString(), Map.copyOf(notes)));
                notes.clear();
            } else if (!lines.get(i).isBlank()) {
                notes.clear(); // a note stands right above its block
            }
        }
        return blocks;
    }
}
