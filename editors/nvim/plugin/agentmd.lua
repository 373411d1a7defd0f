if vim.g.loaded_agentmd then
  return
end
vim.g.loaded_agentmd = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify_once('agentmd needs Neovim 0.11 or newer', vim.log.levels.WARN)
  return
end

vim.filetype.add {
  extension = { mdc = 'markdown', llmd = 'markdown' },
  pattern = { ['.*%.ll%.md'] = 'markdown' },
}

require('agentmd.commands').create()

vim.lsp.enable('agentmd')

vim.api.nvim_create_autocmd('FileType', {
  group = vim.api.nvim_create_augroup('agentmd', {}),
  desc = 'Say once if the program is missing',
  -- Returning true removes the autocommand.
  callback = function(event)
    return require('agentmd.server').look_for_program(event.buf)
  end,
})

-- Vim's syntax for Markdown marks every `_` between letters as an error, as in `[ACTION_0_TYPE]`. In CommonMark it's plain text.
vim.api.nvim_create_autocmd('Syntax', {
  group = 'agentmd',
  pattern = { 'markdown', 'markdown.mdx' },
  desc = 'Leave underscores in words alone',
  callback = function()
    vim.cmd 'silent! syntax clear markdownError'
  end,
})
