-- How Neovim starts the server. `vim.lsp.config('agentmd', { … })` or `require('agentmd').setup { … }` change parts of it.
return {
  cmd = { 'agentmd', 'server' },
  filetypes = { 'markdown', 'markdown.mdx', 'yaml', 'json', 'jsonc' },
  root_markers = { 'agentmd.toml', '.git' },
  -- The only YAML files are test files, and the only JSON files are those around agent files.
  root_dir = function(buffer, start)
    if require('agentmd.server').is_served(buffer) then
      start(vim.fs.root(buffer, vim.lsp.config.agentmd.root_markers))
    end
  end,
  -- A plain empty table would be sent as a list.
  settings = { agentmd = vim.empty_dict() },
  capabilities = {
    experimental = { agentmd = { copySelector = true, runProgram = true, explain = true, review = true } },
    workspace = { codeLens = { refreshSupport = true } },
  },
  handlers = {
    -- Neovim 0.11 doesn't support this request, so refresh visible lenses here.
    ['workspace/codeLens/refresh'] = function(_, _, context)
      local client = vim.lsp.get_client_by_id(context.client_id)
      for buffer in pairs(client and client.attached_buffers or {}) do
        if #vim.lsp.codelens.get(buffer) > 0 then
          vim.lsp.codelens.refresh { bufnr = buffer }
        end
      end
      return vim.NIL
    end,
  },
  commands = {
    ['agentmd.runProgram'] = function(command)
      require('agentmd.programs').run(command.arguments[1])
    end,
    ['agentmd.testProgram'] = function(command)
      require('agentmd.programs').test(command.arguments[1])
    end,
    ['agentmd.startReview'] = function()
      require('agentmd.review').start()
    end,
    ['agentmd.explain'] = function(command, context)
      local client = assert(vim.lsp.get_client_by_id(context.client_id))
      require('agentmd.commands').explain(client, command.arguments[1].code)
    end,
    ['agentmd.copySelector'] = function(command, context)
      local client = assert(vim.lsp.get_client_by_id(context.client_id))
      local params = { command = command.command, arguments = command.arguments }
      client:request('workspace/executeCommand', params, function(failure, selector)
        if failure then
          vim.notify(failure.message, vim.log.levels.ERROR)
        elseif type(selector) == 'string' then
          vim.fn.setreg('"', selector)
          -- The clipboard needs a provider.
          pcall(vim.fn.setreg, '+', selector)
          vim.notify('Copied ' .. selector)
        end
      end, context.bufnr)
    end,
  },
  -- So that the first check of a file already uses the settings.
  before_init = function(params, config)
    params.initializationOptions = vim.tbl_get(config, 'settings', 'agentmd')
  end,
  on_init = function(client)
    require('agentmd.server').on_init(client)
  end,
  on_exit = function(code, signal)
    require('agentmd.server').on_exit(code, signal)
  end,
}
