package dev.holdfast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("the colours of the dashboard")
class ColoursTest {
    private static final Path SHEET = Path.of("src/main/resources/dev/holdfast/dashboard/app.css");
    private static final Pattern COLOUR = Pattern.compile("--([a-z-]+): (#[0-9a-f]{6});");
    /** What WCAG asks of text, level AA. */
    private static final double ENOUGH = 4.5;

    @TestFactory
    @DisplayName("can be read on both grounds, light and dark")
    Stream<DynamicTest> contrast() throws IOException {
        return blocks().stream()
                .flatMap(block -> Stream.of("ink", "ink-soft", "accent", "warn", "bad")
                        .flatMap(text -> Stream.of("surface", "raised")
                                .map(ground -> DynamicTest.dynamicTest(
                                        block.get("surface") + " " + text + " on " + ground,
                                        () -> assertThat(contrast(block.get(text), block.get(ground)))
                                                .isGreaterThanOrEqualTo(ENOUGH)))));
    }

    @Test
    @DisplayName("are the same, whether dark was chosen here or by the system")
    void darkTwice() throws IOException {
        assertThat(blocks()).hasSize(3);
        assertThat(blocks().get(1)).isEqualTo(blocks().get(2)).containsKeys("surface", "ink");
    }

    private static List<Map<String, String>> blocks() throws IOException {
        return Pattern.compile(":root[^{]*\\{([^}]*)}")
                .matcher(Files.readString(SHEET))
                .results()
                .map(block -> colours(block.group(1)))
                .toList();
    }

    private static Map<String, String> colours(String block) {
        Map<String, String> colours = new HashMap<>();
        Matcher colour = COLOUR.matcher(block);
        while (colour.find()) {
            colours.put(colour.group(1), colour.group(2));
        }
        return colours;
    }

    private static double contrast(String one, String other) {
        double bright = Math.max(luminance(one), luminance(other));
        double dim = Math.min(luminance(one), luminance(other));
        return (bright + 0.05) / (dim + 0.05);
    }

    private static double luminance(String colour) {
        int rgb = Integer.parseInt(colour.substring(1), 16);
        return 0.2126 * linear(rgb >> 16 & 255) + 0.7152 * linear(rgb >> 8 & 255) + 0.0722 * linear(rgb & 255);
    }

    private static double linear(int channel) {
        double part = channel / 255.0;
        return part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
    }
}
