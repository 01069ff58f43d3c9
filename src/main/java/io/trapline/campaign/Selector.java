package io.trapline.campaign;

/**
 * Which hosts, by profile: {@code kernel>=6.15 and arch=aarch64}.
 *
 * @param text as the campaign has it
 */
public record Selector(String text) {}
